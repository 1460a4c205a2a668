"""Runs the test groups one after the other and prints how long each took. In CI only the listed skips are allowed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
ALLOWED_SKIPS = ROOT / "tests" / "allowed_skips.txt"

GROUPS = (
    # name, marker expression, workers, budget in seconds
    ("unit and property", "not postgres and not model and not browser and not foreign", "3", 180),
    ("postgres", "postgres", "2", 120),
    ("foreign clients", "foreign", "0", 120),
    ("browser", "browser", "2", 180),
    ("real model", "model", "0", 60),
)
NO_TESTS = 5

SYSTEM = {
    "chromium": "chromium", "godot3-server": "godot3-server", "epubcheck": "epubcheck", "npm": "npm", "ngircd": "ngircd",
    "openssl": "openssl",
}  # fmt: skip
"""Programs the tests talk with, and the Debian packages that bring them."""


def main() -> int:
    _install_programs()
    rows, failed = [], False
    for name, marker, workers, budget in GROUPS:
        print(f"\n=== {name}", flush=True)
        start = time.monotonic()
        code, output = _pytest(marker, workers)
        taken = time.monotonic() - start
        surplus = _surplus_skips(output) if os.environ.get("CI") else []
        for line in surplus:
            print(f"not on the list of allowed skips: {line}")
        failed = failed or code not in (0, NO_TESTS) or bool(surplus)
        rows.append(
            (name, "none yet" if code == NO_TESTS else "failed" if code or surplus else "passed", taken, budget)
        )
    print("\ngroup               result     seconds   budget")
    for name, result, taken, budget in rows:
        print(f"{name:<20}{result:<11}{taken:7.1f}  {budget:7d}")
    return 1 if failed else 0


def _install_programs() -> None:
    """What is missing is installed where that is possible; where it is not, the tests that need it skip, and say so."""
    missing = [package for program, package in SYSTEM.items() if shutil.which(program) is None]
    if not missing:
        return
    print(f"missing programs: {', '.join(missing)}", flush=True)
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        print("they cannot be installed from here: install these packages to run every test", flush=True)
        return
    quiet = {"stdout": subprocess.DEVNULL, "env": {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, "check": False}
    subprocess.run(["apt-get", "update", "-qq"], **quiet)
    for package in missing:
        subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", package], **quiet)


def _pytest(marker: str, workers: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-m", marker, "-n", workers, *sys.argv[1:]]
    # Whatever the surroundings say: without bytecode each process compiles the tests and the house anew.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        lines = []
        for line in process.stdout or ():
            print(line, end="", flush=True)
            lines.append(line)
    return process.returncode, "".join(lines)


def _surplus_skips(output: str) -> list[str]:
    allowed = [
        line.split("#")[0].strip()
        for line in ALLOWED_SKIPS.read_text(encoding="utf-8").splitlines()
        if line.split("#")[0].strip()
    ]
    skips = re.findall(r"^SKIPPED .*$", output, re.MULTILINE)
    return [skip for skip in skips if not any(pattern in skip for pattern in allowed)]


if __name__ == "__main__":
    sys.exit(main())
