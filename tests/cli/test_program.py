"""The program as a script meets it: real processes, pipes, exit codes, and what is imported when it starts."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import talekeeper

PROGRAM = [sys.executable, "-W", "error", "-m", "talekeeper.cli.main"]
Program = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("TALEKEEPER_")}
    return {**kept, "TALEKEEPER_HOME": str(home), "PYTHONPATH": str(Path(talekeeper.__file__).parents[1])}


@pytest.fixture
def program(environment: dict[str, str], tmp_path: Path) -> Program:
    def start(*args: str, given: bytes = b"", **more: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*PROGRAM, *args], input=given, capture_output=True, env={**environment, **more}, cwd=tmp_path, timeout=60
        )  # fmt: skip

    return start


def test_a_world_goes_through_a_real_pipe(program: Program):
    exported = program("world", "export", "--out", "-")
    assert (exported.returncode, exported.stderr) == (0, b"")
    imported = program("world", "import", "-", "--name", "piped", "--json", given=exported.stdout)
    assert imported.returncode == 0
    assert json.loads(imported.stdout)["slug"] == "piped"


def test_errors_are_words_on_stderr_and_an_exit_code(program: Program):
    said = program("world", "show", "nowhere")
    assert (said.returncode, said.stdout) == (2, b"")
    assert said.stderr.decode() == "There is no world named 'nowhere'.\nHere are: low-water.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_said_in_words(environment, tmp_path):
    with Path("/dev/full").open("wb") as full:
        command = [*PROGRAM, "world", "export", "--out", "-"]
        said = subprocess.run(command, env=environment, stdout=full, stderr=subprocess.PIPE, timeout=60, cwd=tmp_path)
    assert said.returncode == 4
    assert said.stderr.startswith(b"No space left on device.")
    assert b"Traceback" not in said.stderr


def test_a_reader_who_leaves_early_is_no_error_worth_a_traceback(environment, tmp_path):
    command = f"{' '.join(PROGRAM)} events tail -n 100000 --json | head -n 1"
    said = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, timeout=60, cwd=tmp_path)
    assert json.loads(said.stdout)["kind"] == "world.created"
    assert b"Traceback" not in said.stderr


def test_output_survives_a_locale_without_unicode(program: Program):
    said = program("timeline", "list", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert said.returncode == 0
    assert b"turn 5" in said.stdout
    listed = program("canon", "show", "nan", "--json", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert json.loads(listed.stdout)["name"] == "Nan Orchard"


def test_nothing_is_coloured_where_no_terminal_is(program: Program):
    assert b"\x1b" not in program("doctor", "--offline").stdout


@pytest.fixture
def terminal(environment: dict[str, str]) -> Callable[..., str]:
    """The program on a terminal, as a person sees it; `typed` is what they type."""

    def sit_down(*args: str, typed: bytes = b"", **more: str) -> str:
        screen, keyboard = pty.openpty()
        os.write(screen, typed)
        seen = b""
        with subprocess.Popen(
            [*PROGRAM, *args], env={**environment, "TERM": "xterm-256color", **more},
            stdin=keyboard, stdout=keyboard, stderr=keyboard, start_new_session=True,
        ):  # fmt: skip
            os.close(keyboard)
            while select.select([screen], [], [], 60)[0]:
                try:
                    seen += os.read(screen, 65536)
                except OSError:  # the other end has closed
                    break
        os.close(screen)
        return seen.decode()

    return sit_down


COLOURED = re.compile(r"\x1b\[[0-9;]*3[0-9]")


def test_a_terminal_gets_colours_unless_no_color_is_set(terminal):
    assert COLOURED.search(terminal("timeline", "list"))
    plain = terminal("timeline", "list", NO_COLOR="1")
    assert not COLOURED.search(plain)
    assert "active" in plain


def test_a_person_is_asked_before_a_world_is_deleted(terminal, program: Program):
    question = "Delete low-water (Low Water at Corrow, turn 3) for good?"
    kept = terminal("world", "delete", "low-water", typed=b"n\n")
    assert question in kept
    assert "Nothing was deleted." in kept
    assert "low-water is gone." in terminal("world", "delete", "low-water", typed=b"y\n")
    assert json.loads(program("world", "list", "--json").stdout) == []


def test_long_work_shows_its_progress_on_a_terminal_only(terminal, program: Program):
    assert "Writing events" in terminal("world", "export")
    quiet = program("world", "export")
    assert (quiet.returncode, quiet.stderr) == (0, b"")


def test_following_shows_what_happens_and_ends_with_ctrl_c(environment, program: Program, tmp_path):
    command = [*PROGRAM, "events", "tail", "-n", "1", "--follow", "--json"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    ) as tail:
        assert tail.stdout is not None
        assert tail.stderr is not None
        assert json.loads(tail.stdout.readline())["kind"] == "proposal.staged"
        program("canon", "reject", json.loads(program("canon", "proposals", "--json").stdout)[0]["id"])
        assert json.loads(tail.stdout.readline())["kind"] == "proposal.decided"
        program("timeline", "fork", "--at", "1")
        forked = json.loads(tail.stdout.readline())
        assert (forked["kind"], forked["timeline"]) == ("timeline.forked", "t5")
        tail.send_signal(signal.SIGINT)
        assert tail.wait(60) == 130
        assert tail.stderr.read() == b"now on t5\n"


HEAVY = ("langgraph", "langchain_core", "fastapi", "uvicorn", "openai", "alembic", "httpx", "numpy", "rich.progress")


def test_nothing_heavy_is_imported_at_the_start(environment, tmp_path):
    look = f"import sys, talekeeper.cli.main; print([m for m in {HEAVY!r} if m in sys.modules])"
    said = subprocess.run([sys.executable, "-c", look], env=environment, capture_output=True, timeout=60, cwd=tmp_path)
    assert said.stdout.decode().strip() == "[]", said.stderr


def test_a_command_on_a_ready_home_imports_nothing_heavy_either(environment, tmp_path):
    look = (
        "import sys\nfrom talekeeper.cli.main import app\n"
        "for line in (['world', 'list'], ['canon', 'show', 'nan'], ['timeline', 'fork'], ['world', 'export']):\n"
        "    app(line, standalone_mode=False)\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", look], env=environment, capture_output=True, timeout=60, cwd=tmp_path)
    assert said.stdout.decode().splitlines()[-1] == "[]", said.stderr
