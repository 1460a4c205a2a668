"""The play table's page: one document, its styles and modules, and the fonts of the package that carries them."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path
from string import Template

from fastapi import APIRouter, Request, Response

from talekeeper.doors.common.assets import Asset, Assets
from talekeeper.errors import NotFound

STATIC = Path(__file__).parent / "static"
FONTS = ("SourceSerifPro-Regular.ttf", "SourceSerifPro-It.ttf", "SourceSerifPro-Semibold.ttf")
_FOR_GOOD = "public, max-age=31536000, immutable"
_NO_MARKUP = "require-trusted-types-for 'script'; trusted-types 'none'"
"""On top of what every answer carries: the page's own script may not make markup out of strings either."""


def page_routes() -> APIRouter:
    assets = Assets(STATIC, _fonts())
    document = Asset(_document(assets).encode(), "text/html; charset=utf-8")
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    @router.get("/w/{world}")
    @router.get("/join/{code}")
    async def page(request: Request) -> Response:
        return _send(request, document, "no-cache", f'"{assets.version}"')

    @router.get("/static/{version}/{name:path}")
    async def file(request: Request, version: str, name: str) -> Response:
        asset = assets.get(name)
        if asset is None or version != assets.version:
            raise NotFound("There is no such file.", "Load the page again: it may have been renewed.")
        return _send(request, asset, _FOR_GOOD, f'"{assets.version}"')

    return router


def _fonts() -> dict[str, Path]:
    with as_file(files("font_source_serif_pro") / "files") as folder:
        return {f"fonts/{name}": folder / name for name in FONTS}


def _document(assets: Assets) -> str:
    """The page knows its own version; everything its modules import at once is asked for at once."""
    static = f"/static/{assets.version}"
    styles = [f'<link rel="stylesheet" href="{static}/{name}">' for name in assets.names("css")]
    modules = [f'<link rel="modulepreload" href="{static}/{name}">' for name in assets.names("js")]
    page = Template((STATIC / "index.html").read_text(encoding="utf-8"))
    return page.substitute(static=static, styles="\n".join(styles), modules="\n".join(modules))


def _send(request: Request, asset: Asset, kept: str, tag: str) -> Response:
    headers = {"Content-Security-Policy": _NO_MARKUP, "Cache-Control": kept, "ETag": tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.compressed, headers=headers, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
