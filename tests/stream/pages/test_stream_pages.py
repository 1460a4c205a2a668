"""The console and the overlay as files: everything they ask for is there, and nothing comes from outside."""

from __future__ import annotations

import posixpath
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest

from talekeeper.doors.stream.pages import STATIC, page_files
from talekeeper.doors.web.page import STATIC as LOOK

SCRIPTS = sorted(STATIC.rglob("*.js"))
STYLES = sorted(STATIC.rglob("*.css"))
FILES = page_files(LOOK)
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[^"]+)";', re.MULTILINE)


async def overlay(client: httpx.AsyncClient, key: str) -> httpx.Response:
    path = (await client.get("/admin/companion/overlay", headers={"X-Admin-Token": key})).json()["path"]
    return await client.get(path)


async def test_everything_the_documents_name_is_there_and_may_be_kept(client: httpx.AsyncClient, key: str) -> None:
    for document in (await client.get("/stream"), await overlay(client, key)):
        assert document.headers["content-type"] == "text/html; charset=utf-8"
        named = re.findall(r'(?:href|src)="(/stream/static/[^"]+)"', document.text)
        assert len(named) >= 3
        for address in named:
            answer = await client.get(address)
            assert answer.status_code == 200, address
            assert "immutable" in answer.headers["cache-control"]


async def test_a_console_that_is_known_is_not_sent_again(client: httpx.AsyncClient) -> None:
    first = await client.get("/stream")
    again = await client.get("/stream", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "trusted-types 'none'" in first.headers["content-security-policy"]


async def test_files_of_another_version_or_outside_are_not_there(client: httpx.AsyncClient) -> None:
    for path in ("/stream/static/old/js/main.js", "/stream/static/x/../../pages.py", "/stream/static/x/console.html"):
        assert (await client.get(path)).status_code == 404


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_import_names_something_that_is_exported(script: Path) -> None:
    own = script.relative_to(STATIC).as_posix()
    for names, target in _IMPORT.findall(script.read_text(encoding="utf-8")):
        found = FILES[posixpath.normpath(posixpath.join(posixpath.dirname(own), target))].decode()
        for name in names.split(","):
            assert re.search(
                rf"^export (?:const|let|class|async function|function) {name.strip()}\b", found, re.MULTILINE
            )


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_no_file_makes_markup_of_words_or_reaches_outside(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?://|@import", text)
    assert not re.search(r"^\s*(?:TODO|FIXME)", text, re.MULTILINE)


def test_the_scripts_are_small() -> None:
    assert sum(len(path.read_bytes()) for path in SCRIPTS) < 60_000
    assert all(path.read_text(encoding="utf-8").startswith("//") for path in SCRIPTS), "each says what it is for"


async def test_the_pulse_is_a_picture_for_the_operator(client: httpx.AsyncClient, key: str) -> None:
    asked = {"session_id": "s1", "colours": "light"}
    assert (await client.get("/admin/companion/pulse", params=asked)).status_code == 401
    answer = await client.get("/admin/companion/pulse", params=asked, headers={"X-Admin-Token": key})
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "style=" not in answer.text, "the policy of images takes no inline style"
    ElementTree.fromstring(answer.text)
    missing = await client.get("/admin/companion/pulse?session_id=s2", headers={"X-Admin-Token": key})
    assert missing.status_code == 404


def test_the_ledgers_markdown_is_read_as_words(tmp_path: Path) -> None:
    """leaf.js with a document of its own: what it makes of a line, as text."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine: the browser tests read the ledger too")
    leaf = (STATIC / "js" / "leaf.js").read_text(encoding="utf-8")
    stub = (
        "const h = (tag, props, ...children) => ({ tagName: tag.toUpperCase(), children: children.flat(3),"
        " append(...more) { this.children.push(...more); } });\n"
    )
    shown = (
        "const told = (one) => (typeof one === 'string' ? one : `<${one.tagName}>${one.children.flat(3).map(told).join('')}`);\n"
        "const text = process.argv[2];\nconsole.log(JSON.stringify(leaf(text).map(told)));\n"
    )
    script = tmp_path / "leaf.mjs"
    script.write_text(stub + _IMPORT.sub("", leaf).replace("export ", "") + shown, encoding="utf-8")
    given = "# A\n\n- 19:04 **a\\*b**: &lt;b&gt; \\[x\\]\n- *no*\n\n> **19:00** so\n\n<script>"
    said = subprocess.run([node, str(script), given], capture_output=True, text=True, check=True, timeout=60).stdout
    assert said == (
        '["<H3>A","<UL><LI>19:04 <STRONG>a*b: <b> [x]<LI><EM>no","<BLOCKQUOTE><STRONG>19:00 so","<P><script>"]\n'
    )
