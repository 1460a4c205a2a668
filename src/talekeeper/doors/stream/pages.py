"""The operator's console and the overlay for OBS: documents, their files, the login, and the one thing an overlay may read.

The look is the play table's: its style sheets and small modules are given by the app and served under `house/`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
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
from talekeeper.doors.common.pages import ANEW, NEVER_KEPT, fonts, send, send_file
from talekeeper.doors.stream.admittance import Admittance
from talekeeper.errors import Unauthorized

STATIC = Path(__file__).parent / "static"
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
    assets = _assets(look)
    console, overlay = (_document(name, assets.version) for name in ("console.html", "overlay.html"))
    router = APIRouter(include_in_schema=False)

    @router.get("/stream")
    async def console_(request: Request) -> Response:
        return send(request, console, ANEW, assets.version)

    @router.get("/stream/overlay")
    async def overlay_(request: Request, token: str = "") -> Response:
        _may_watch(admittance, token)
        return send(request, overlay, NEVER_KEPT, assets.version)

    @router.get("/stream/overlay/theme")
    async def theme_(response: Response, token: str = "") -> ThemeOut:
        _may_watch(admittance, token)
        response.headers["Cache-Control"] = "no-store"
        return ThemeOut(theme=await theme())

    @router.get("/stream/static/{version}/{name:path}")
    async def file(request: Request, version: str, name: str) -> Response:
        return send_file(request, assets, version, name)

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


@cache
def _assets(look: Path) -> Assets:
    return Assets(page_files(look))


def page_files(look: Path) -> dict[str, bytes]:
    """What goes over the wire, by address."""
    made = {f"house/js/{name}": (look / "js" / name).read_bytes() for name in MODULES}
    made["house/css/page.css"] = b"".join(path.read_bytes() for path in sorted((look / "css").glob("*.css")))
    made["house/icon.svg"] = (look / "icon.svg").read_bytes()
    made |= {f"house/{name}": content for name, content in fonts().items()}
    own = (path for path in STATIC.rglob("*.*") if path.suffix in (".js", ".css"))
    return made | {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in own}


def _document(name: str, version: str) -> Asset:
    page = Template((STATIC / name).read_text(encoding="utf-8"))
    return Asset(name, page.substitute(static=f"/stream/static/{version}").encode())


def _may_watch(admittance: Admittance, token: str) -> None:
    if not admittance.may_watch(token):
        raise Unauthorized("That overlay address does not hold (any more).", "Copy it again from the console's menu.")
