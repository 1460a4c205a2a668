"""Many modules on one wire: the joined script does what the modules did, and refuses what it cannot join."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from talekeeper.doors.web.joined import join, on_its_own

MODULES = {
    "js/main.js": 'import { greet } from "./greet.js";\nimport { log } from "./log.js";\n\nlog(greet("you"));\n',
    "js/greet.js": 'import { Book } from "./book.js";\n\nconst word = "hello";\n\nexport function greet(name) {\n'
    "  return new Book(`${word} ${name}`).title;\n}\n",
    # A circle: book needs greet, but only when it is called.
    "js/book.js": 'import { greet } from "./greet.js";\n\nconst word = "book";\n\nexport class Book {\n'
    "  constructor(title) { this.title = `${word}: ${title}`; }\n  again() { return greet(this.title); }\n}\n",
    "js/log.js": "export const log = (text) => console.log(JSON.stringify(text));\n\nexport async function later() {}\n",
    "js/sheets/one.js": 'import { greet } from "../greet.js";\nimport { two } from "./two.js";\n\nexport const open = greet;\n',
}


def test_the_joined_script_runs_as_the_modules_would(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine: the joined script is run in the browser tests only")
    script = tmp_path / "main.mjs"
    script.write_text(join(MODULES, "js/main.js"), encoding="utf-8")
    said = subprocess.run([node, str(script)], capture_output=True, text=True, check=True, timeout=60).stdout
    assert json.loads(said) == "book: hello you"


def test_what_comes_later_imports_from_the_joined_script() -> None:
    later = on_its_own(MODULES, "js/sheets/one.js", "js/main.js")
    assert 'import { greet } from "../main.js";' in later
    assert 'import { two } from "./two.js";' in later


@pytest.mark.parametrize(
    "text",
    ['import all from "./log.js";\n', "export default 1;\n", "export { a };\n", "export const greet = 1;\n"],
    ids=["default import", "default export", "list", "name taken"],
)
def test_what_cannot_be_joined_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"joined|exported"):
        join({**MODULES, "js/log.js": MODULES["js/log.js"] + text}, "js/main.js")
