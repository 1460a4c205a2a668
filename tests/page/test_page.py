"""The page as files: how much goes over the wire, that everything it asks for is there, and that nothing comes from outside."""

from __future__ import annotations

import gzip
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from talekeeper.doors.common import problems
from talekeeper.doors.web.page import STATIC, page_files, page_routes

SCRIPTS = sorted(STATIC.rglob("*.js"))
STYLES = sorted(STATIC.rglob("*.css"))
MOST_SCRIPT = 60 * 1024


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    app = FastAPI()
    app.include_router(page_routes())
    problems.install(app, debug=True)
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://test", follow_redirects=True
    ) as client:
        yield client


def addresses(document: str) -> list[str]:
    return re.findall(r'(?:href|src)="(/static/[^"]+)"', document)


async def test_everything_the_document_names_is_there_and_may_be_kept(client: httpx.AsyncClient) -> None:
    document = await client.get("/")
    assert document.headers["cache-control"] == "no-cache"
    named = addresses(document.text)
    assert any(name.endswith("main.js") for name in named)
    for address in named:
        answer = await client.get(address)
        assert answer.status_code == 200, address
        assert "immutable" in answer.headers["cache-control"]


async def test_the_same_document_for_every_address_of_the_page(client: httpx.AsyncClient) -> None:
    document = (await client.get("/")).text
    assert (await client.get("/w/low-water")).text == document
    assert (await client.get("/join/some-code")).text == document


async def test_unchanged_is_not_sent_again_and_an_old_version_is_not_found(client: httpx.AsyncClient) -> None:
    document = await client.get("/")
    again = await client.get("/", headers={"If-None-Match": document.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    current = next(a for a in addresses(document.text) if a.endswith("main.js"))
    old = re.sub(r"/static/\w+/", "/static/0123456789ab/", current)
    assert (await client.get(old)).status_code == 404


@pytest.mark.parametrize("name", ["../page.py", "..%2Fpage.py", "js/../../page.py", "js", "", "js/nothing.js"])
async def test_only_its_own_files(client: httpx.AsyncClient, name: str) -> None:
    version = addresses((await client.get("/")).text)[0].split("/")[2]
    assert (await client.get(f"/static/{version}/{name}")).status_code == 404


async def test_script_on_the_wire(client: httpx.AsyncClient) -> None:
    version = addresses((await client.get("/")).text)[0].split("/")[2]
    total = 0
    for name, content in page_files().items():
        if not name.endswith(".js"):
            continue
        async with client.stream("GET", f"/static/{version}/{name}", headers={"Accept-Encoding": "gzip"}) as answer:
            sent = b"".join([piece async for piece in answer.aiter_raw()])
        assert gzip.decompress(sent) == content
        total += len(sent)
    assert total <= MOST_SCRIPT


def test_modules_import_what_exists_by_the_names_it_has() -> None:
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        for names, target in re.findall(r'^import \{([^}]+)\} from "([^"]+)";', text, re.MULTILINE):
            found = (script.parent / target).resolve()
            assert found.is_file(), f"{script.name} imports {target}"
            offered = found.read_text(encoding="utf-8")
            for name in names.split(","):
                wanted = name.split(" as ")[0].strip()
                assert re.search(rf"export (?:async )?(?:function|const|let|class) {wanted}\b", offered), (
                    f"{script.name}: {wanted} from {target}"
                )
                used = name.split(" as ")[-1].strip()
                assert len(re.findall(rf"\b{used}\b", text)) > 1, f"{script.name} does not use {used}"


def test_nothing_is_inline_and_nothing_comes_from_outside() -> None:
    document = (STATIC / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|style=|<script>|\son\w+=", document)
    for file in [STATIC / "index.html", *SCRIPTS, *STYLES]:
        text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//cdn", text), file.name
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", text), script.name


def test_files_are_small_and_say_what_they_are_for() -> None:
    for script in SCRIPTS:
        lines = script.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("// "), script.name
        assert len(lines) < 300, script.name


CONTRASTS = [("text", "ground"), ("text", "panel"), ("second", "ground"), ("second", "panel"), ("second", "side"),
             ("faint", "ground"), ("faint", "panel"), ("faint", "side"), ("faint", "raised"), ("ember", "ground"),
             ("ember", "side"), ("ember", "panel"), ("on-ember", "ember"), ("dialogue", "ground"), ("dialogue", "panel"),
             ("good", "panel"), ("good", "ground"), ("bad", "panel"), ("bad", "ground")]  # fmt: skip


@pytest.mark.parametrize("theme", [":root {", ':root[data-theme="light"] {'])
def test_all_text_stands_out_from_its_ground(theme: str) -> None:
    css = (Path(STATIC) / "css" / "base.css").read_text(encoding="utf-8")
    block = css[css.index(theme) : css.index("}", css.index(theme))]
    colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
    for text, ground in CONTRASTS:
        light, dark = sorted((_luminance(colours[text]), _luminance(colours[ground])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, f"{text} on {ground}"


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
