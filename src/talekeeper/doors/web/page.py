"""The play table's page: one document, one style sheet, one script and a few that come later, and its fonts."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from string import Template

from fastapi import APIRouter, Request, Response

from talekeeper.doors.common.assets import Asset, Assets
from talekeeper.doors.common.pages import ANEW, fonts, send, send_file
from talekeeper.doors.web.joined import join, on_its_own

STATIC = Path(__file__).parent / "static"
MAIN, FIRST = "js/main.js", "js/first/theme.js"
LATER = ("js/sheets", "js/views")
"""Folders of modules that are fetched when they are wanted."""


def page_routes() -> APIRouter:
    assets = _assets()
    page = Template((STATIC / "index.html").read_text(encoding="utf-8"))
    document = Asset("index.html", page.substitute(static=f"/static/{assets.version}").encode())
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    @router.get("/w/{world}")
    @router.get("/join/{code}")
    async def page_(request: Request) -> Response:
        return send(request, document, ANEW, assets.version)

    @router.get("/static/{version}/{name:path}")
    async def file(request: Request, version: str, name: str) -> Response:
        return send_file(request, assets, version, name)

    return router


@cache
def _assets() -> Assets:
    return Assets(page_files())


def page_files() -> dict[str, bytes]:
    """What goes over the wire, by address."""
    modules = {_name(path): path.read_text(encoding="utf-8") for path in sorted(STATIC.rglob("*.js"))}
    later = [name for name in modules if name.startswith(LATER)]
    styles = [path.read_text(encoding="utf-8") for path in sorted((STATIC / "css").glob("*.css"))]
    made = {MAIN: join(modules, MAIN), FIRST: modules[FIRST], "css/page.css": "".join(styles)}
    made |= {name: on_its_own(modules, name, MAIN) for name in later}
    return {name: text.encode() for name, text in made.items()} | {
        "icon.svg": (STATIC / "icon.svg").read_bytes(),
        **fonts(),
    }


def _name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()
