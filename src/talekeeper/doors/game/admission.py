"""Who may come in, and into which world: by token; from this very machine also without one."""

from __future__ import annotations

import ipaddress
import logging
import re
from urllib.parse import urlsplit

import msgspec
from starlette.websockets import WebSocket

from talekeeper.doors.common.house import House
from talekeeper.doors.game.tokens import open_with
from talekeeper.errors import Unauthorized

_TOKEN = re.compile(r"(token=|bearer\s+)[^&\s\"']+", re.IGNORECASE)


class Admission(msgspec.Struct, frozen=True):
    world: str
    token: str = ""
    """The token's id; empty without one."""
    name: str = ""


async def admit(socket: WebSocket, house: House, *, world: str, token_needed: bool) -> Admission:
    presented = _presented(socket)
    if presented:
        token = await house.store.read(lambda conn: open_with(conn, presented))
        return Admission(token.world, token.id, token.name)
    if token_needed:
        raise Unauthorized("This door needs a token.", "Make one with `talekeeper game token new`.")
    if not _from_here(socket):
        raise Unauthorized(
            "From another machine this door needs a token.",
            "Make one with `talekeeper game token new`, and send it as `Authorization: Bearer ...`.",
        )
    return Admission(world)


def _presented(socket: WebSocket) -> str:
    scheme, _, value = socket.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and value.strip():
        return value.strip()
    return socket.query_params.get("token", "")


def _from_here(socket: WebSocket) -> bool:
    """A program on this machine. A page that a browser here got from elsewhere is not."""
    client = socket.client
    return client is not None and _is_loopback(client.host) and _own_page(socket.headers.get("origin", ""))


def _own_page(origin: str) -> bool:
    return not origin or origin == "file://" or _is_loopback(urlsplit(origin).hostname or "")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _HideTokens(logging.Filter):
    """The server logs the address of every WebSocket (and, when asked for it, its headers), and a token may stand there."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            record.args = tuple(_TOKEN.sub(r"\1***", a) if isinstance(a, str) else a for a in record.args)
        record.msg = _TOKEN.sub(r"\1***", record.msg) if isinstance(record.msg, str) else record.msg
        return True


_hide_tokens = _HideTokens()


def keep_tokens_out_of_logs() -> None:
    for name in ("uvicorn.error", "uvicorn.access"):
        logger = logging.getLogger(name)
        if _hide_tokens not in logger.filters:
            logger.addFilter(_hide_tokens)
