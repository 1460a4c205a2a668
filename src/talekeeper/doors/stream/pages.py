"""The operator's console and the overlay for OBS: documents, their files, the login, and the one thing an overlay may read.

The look is the play table's: its style sheets and small modules are given by the app and served under `house/`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import as_file, files
from pathlib import Path
from string import Template
from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from talekeeper.chronicle.book.palette import DARK, LIGHT
from talekeeper.chronicle.ledger import LedgerRecord, pulse_picture
from talekeeper.chronicle.ledger.pulse import NARROW, WIDTH
from talekeeper.doors.common.assets import Asset, Assets
from talekeeper.doors.common.limits import Limits
from talekeeper.doors.stream.admittance import Admittance
from talekeeper.errors import NotFound, Unauthorized

STATIC = Path(__file__).parent / "static"
FONTS = ("SourceSerifPro-Regular.ttf", "SourceSerifPro-It.ttf", "SourceSerifPro-Semibold.ttf")
MODULES = (
    "announce.js",
    "dom.js",
    "drawers.js",
    "first/theme.js",
    "follow.js",
    "icons.js",
    "sheet.js",
    "theme.js",
    "toast.js",
)
"""Of the play table's, those that know nothing of worlds."""

_FOR_GOOD = "public, max-age=31536000, immutable"
_NO_MARKUP = "require-trusted-types-for 'script'; trusted-types 'none'"


class LoginIn(BaseModel):
    key: str = Field(max_length=4096)


class Done(BaseModel):
    status: str


class OverlayOut(BaseModel):
    path: str


class ThemeOut(BaseModel):
    theme: str


def stream_pages(
    look: Path,
    admittance: Admittance,
    limits: Limits,
    theme: Callable[[], Awaitable[str]],
    record: Callable[[str], Awaitable[LedgerRecord]],
) -> APIRouter:
    """`look` is the folder of the play table's files; `theme` the current session's, empty where there is none;
    `record` what the ledger of a session would be written from now."""
    assets = Assets(page_files(look))
    console, overlay = (_document(name, assets.version) for name in ("console.html", "overlay.html"))
    router = APIRouter(include_in_schema=False)

    @router.get("/stream")
    async def console_(request: Request) -> Response:
        return _send(request, console, "no-cache", f'"{assets.version}"')

    @router.get("/stream/overlay")
    async def overlay_(request: Request, token: str = "") -> Response:
        _may_watch(admittance, token)
        return _send(request, overlay, "no-store", f'"{assets.version}"')

    @router.get("/stream/overlay/theme")
    async def theme_(response: Response, token: str = "") -> ThemeOut:
        _may_watch(admittance, token)
        response.headers["Cache-Control"] = "no-store"
        return ThemeOut(theme=await theme())

    @router.get("/stream/static/{version}/{name:path}")
    async def file(request: Request, version: str, name: str) -> Response:
        asset = assets.get(name)
        if asset is None or version != assets.version:
            raise NotFound("There is no such file.", "Load the page again: it may have been renewed.")
        return _send(request, asset, _FOR_GOOD, f'"{assets.version}"')

    @router.post("/admin/companion/login")
    async def log_in(request: Request, response: Response, given: LoginIn) -> Done:
        limits.count("login", request.client.host if request.client else "unknown")
        admittance.log_in(request, response, given.key)
        return Done(status="logged_in")

    @router.post("/admin/companion/logout")
    async def log_out(response: Response) -> Done:
        admittance.log_out(response)
        return Done(status="logged_out")

    @router.get("/admin/companion/overlay")
    async def overlay_address(request: Request) -> OverlayOut:
        admittance.check(request)
        return OverlayOut(path=f"/stream/overlay?token={admittance.overlay_token()}")

    @router.get("/admin/companion/pulse")
    async def pulse(
        request: Request, session_id: str, colours: Literal["dark", "light"] = "dark", narrow: bool = False
    ) -> Response:
        """The chat's pulse as a picture; an image takes no colours from the page it stands in."""
        admittance.check(request)
        palette, width = DARK if colours == "dark" else LIGHT, NARROW if narrow else WIDTH
        drawn = pulse_picture(await record(session_id), palette, width)
        return Response(drawn, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    return router


def page_files(look: Path) -> dict[str, bytes]:
    """What goes over the wire, by address."""
    made = {f"house/js/{name}": (look / "js" / name).read_bytes() for name in MODULES}
    made["house/css/page.css"] = b"".join(path.read_bytes() for path in sorted((look / "css").glob("*.css")))
    made["house/icon.svg"] = (look / "icon.svg").read_bytes()
    with as_file(files("font_source_serif_pro") / "files") as folder:
        made |= {f"house/fonts/{name}": (folder / name).read_bytes() for name in FONTS}
    own = (path for path in STATIC.rglob("*.*") if path.suffix in (".js", ".css"))
    return made | {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in own}


def _document(name: str, version: str) -> Asset:
    page = Template((STATIC / name).read_text(encoding="utf-8"))
    return Asset(name, page.substitute(static=f"/stream/static/{version}").encode())


def _may_watch(admittance: Admittance, token: str) -> None:
    if not admittance.may_watch(token):
        raise Unauthorized("That overlay address does not hold (any more).", "Copy it again from the console's menu.")


def _send(request: Request, asset: Asset, kept: str, tag: str) -> Response:
    headers = {
        "Content-Security-Policy": _NO_MARKUP, "Cache-Control": kept, "ETag": tag, "Vary": "Accept-Encoding",
    }  # fmt: skip
    if kept != "no-store" and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(asset.compressed, headers=headers, media_type=asset.media_type)
    return Response(asset.content, headers=headers, media_type=asset.media_type)
