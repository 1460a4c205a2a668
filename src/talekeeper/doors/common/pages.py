"""How a page of the house is sent: its document anew, its files for good under the address of their version, its fonts."""

from __future__ import annotations

from importlib.resources import as_file, files

from fastapi import Request, Response

from talekeeper.doors.common.assets import Asset, Assets
from talekeeper.errors import NotFound

ANEW, NEVER_KEPT, FOR_GOOD = "no-cache", "no-store", "public, max-age=31536000, immutable"
_FONTS = ("SourceSerifPro-Regular.ttf", "SourceSerifPro-It.ttf", "SourceSerifPro-Semibold.ttf")
_NO_MARKUP = "require-trusted-types-for 'script'; trusted-types 'none'"
"""On top of what every answer carries: a page's own script may not make markup out of strings either."""


def fonts() -> dict[str, bytes]:
    with as_file(files("font_source_serif_pro") / "files") as folder:
        return {f"fonts/{name}": (folder / name).read_bytes() for name in _FONTS}


def send_file(request: Request, assets: Assets, version: str, name: str) -> Response:
    asset = assets.get(name)
    if asset is None or version != assets.version:
        raise NotFound("There is no such file.", "Load the page again: it may have been renewed.")
    return send(request, asset, FOR_GOOD, assets.version)


def send(request: Request, asset: Asset, kept: str, version: str) -> Response:
    """As the browser wants it: not at all if it has this version, compressed if it can read that."""
    tag = f'"{version}"'
    headers = {
        "Content-Security-Policy": _NO_MARKUP, "Cache-Control": kept, "ETag": tag, "Vary": "Accept-Encoding",
    }  # fmt: skip
    if kept != NEVER_KEPT and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.compressed, headers=headers, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
