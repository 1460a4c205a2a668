"""The play table's page: one document, one style sheet, one script and a few that come later, and its fonts."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from string import Template

from fastapi import APIRouter, Request, Response

from talekeeper.doors.common.assets import Asset, Assets
from talekeeper.doors.web.joined import join, on_its_own
from talekeeper.errors import NotFound

STATIC = Path(__file__).parent / "static"
FONTS = ("SourceSerifPro-Regular.ttf", "SourceSerifPro-It.ttf", "SourceSerifPro-Semibold.ttf")
MAIN, FIRST = "js/main.js", "js/first/theme.js"
LATER = ("js/sheets", "js/views")
"""Folders of modules that are fetched when they are wanted."""

_FOR_GOOD = "public, max-age=31536000, immutable"
_NO_MARKUP = "require-trusted-types-for 'script'; trusted-types 'none'"
"""On top of what every answer carries: the page's own script may not make markup out of strings either."""


def page_routes() -> APIRouter:
    assets = Assets(page_files())
    page = Template((STATIC / "index.html").read_text(encoding="utf-8"))
    document = Asset("index.html", page.substitute(static=f"/static/{assets.version}").encode())
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    @router.get("/w/{world}")
    @router.get("/join/{code}")
    async def page_(request: Request) -> Response:
        return _send(request, document, "no-cache", f'"{assets.version}"')

    @router.get("/static/{version}/{name:path}")
    async def file(request: Request, version: str, name: str) -> Response:
        asset = assets.get(name)
        if asset is None or version != assets.version:
            raise NotFound("There is no such file.", "Load the page again: it may have been renewed.")
        return _send(request, asset, _FOR_GOOD, f'"{assets.version}"')

    return router


def page_files() -> dict[str, bytes]:
    """What goes over the wire, by address."""
    modules = {_name(path): path.read_text(encoding="utf-8") for path in sorted(STATIC.rglob("*.js"))}
    later = [name for name in modules if name.startswith(LATER)]
    styles = [path.read_text(encoding="utf-8") for path in sorted((STATIC / "css").glob("*.css"))]
    made = {MAIN: join(modules, MAIN), FIRST: modules[FIRST], "css/page.css": "".join(styles)}
    made |= {name: on_its_own(modules, name, MAIN) for name in later}
    return {name: text.encode() for name, text in made.items()} | {
        "icon.svg": (STATIC / "icon.svg").read_bytes(),
        **_fonts(),
    }


def _name(path: Path) -> str:
    return path.relative_to(STATIC).as_posix()


def _fonts() -> dict[str, bytes]:
    with as_file(files("font_source_serif_pro") / "files") as folder:
        return {f"fonts/{name}": (folder / name).read_bytes() for name in FONTS}


def _send(request: Request, asset: Asset, kept: str, tag: str) -> Response:
    headers = {
        "Content-Security-Policy": _NO_MARKUP, "Cache-Control": kept, "ETag": tag, "Vary": "Accept-Encoding",
    }  # fmt: skip
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.compressed, headers=headers, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
