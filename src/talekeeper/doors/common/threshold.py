"""What every request and socket meets before a route: an id, the names and origins it may have, how often, how large.

Every answer carries the headers that keep a page at home.
"""

from __future__ import annotations

import asyncio
import re
import time

import structlog
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from talekeeper.doors.common.hosts import Hosts, header
from talekeeper.doors.common.limits import Limits
from talekeeper.doors.common.traffic import Traffic
from talekeeper.errors import BadInput, NotAllowed, TalekeeperError
from talekeeper.observe.ids import random_id

log = structlog.get_logger("talekeeper.http")

MOST_BODY = 256 << 10
MOST_UPLOAD = 512 << 20
MOST_DELIVERY = 32 << 20
UPLOADS = re.compile(r"/api/v1/worlds/import\Z")
DELIVERIES = re.compile(r"/hooks/")
"""Webhooks: forges send up to 25 MiB, and the door has a limit of its own."""
BODY_SECONDS = 30.0
"""A client that sends nothing more for so long has gone."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = ("/health", "/ready", "/metrics")
"""Asked by machines that know no name for us."""
_COUNTED = ("/api/", "/socket.io/", "/v1/", "/admin/")
_GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]


class Threshold:
    def __init__(self, app: ASGIApp, *, hosts: Hosts, limits: Limits, traffic: Traffic) -> None:
        self._app = app
        self._hosts = hosts
        self._limits = limits
        self._traffic = traffic

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        given = header(scope["headers"], b"x-request-id") or ""
        request = given if _GIVEN_ID.match(given) else random_id()
        scope.setdefault("state", {})["request_id"] = request
        with structlog.contextvars.bound_contextvars(request=request):
            try:
                self._let_in(scope)
            except TalekeeperError as refusal:
                await _turn_away(scope, receive, send, refusal, request)
                return
            if scope["type"] == "http":
                await self._serve(scope, receive, send, request)
            else:
                await self._app(scope, receive, send)

    def _let_in(self, scope: Scope) -> None:
        path, headers = scope["path"], scope["headers"]
        if path in _OPEN:
            return
        host = header(headers, b"host") or ""
        if not self._hosts.answers_to(host):
            raise BadInput(
                f"This server is not called {host[:80]!r}.", "Add its address to CORS_ALLOWED_ORIGINS if it should be."
            )
        # A polled socket is one as well, though it is read by GET.
        socket = scope["type"] == "websocket" or path.startswith("/socket.io/")
        changes = socket or scope["method"] not in _SAFE
        origin, site = header(headers, b"origin"), header(headers, b"sec-fetch-site")
        if changes and not self._hosts.may_come_from(origin, host, site):
            raise NotAllowed(
                f"A page from {(origin or 'elsewhere')[:80]} may not do that here.",
                "Add its address to CORS_ALLOWED_ORIGINS if it should.",
            )
        # A polled socket asks all the time; what it sends is counted by its door.
        if path.startswith(_COUNTED) and not (path.startswith("/socket.io/") and b"sid=" in scope["query_string"]):
            self._limits.count("request", (scope.get("client") or ("unknown",))[0])

    async def _serve(self, scope: Scope, receive: Receive, send: Send, request: str) -> None:
        begun = time.perf_counter()
        status = 500

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *_HEADERS, (b"x-request-id", request.encode())]
            await send(message)

        try:
            await self._app(scope, _bounded(scope, receive), answer)
        finally:
            seconds = time.perf_counter() - begun
            route = getattr(scope.get("route"), "path", "") or "other"
            self._traffic.answered(scope["method"], route, status, seconds)
            log.info(
                "request", method=scope["method"], path=scope["path"], status=status, ms=round(seconds * 1000, 1)
            )  # fmt: skip


def _bounded(scope: Scope, receive: Receive) -> Receive:
    """Reads no more than the route may take, and waits no longer than a living client needs."""
    most = (
        MOST_UPLOAD if UPLOADS.match(scope["path"]) else MOST_DELIVERY if DELIVERIES.match(scope["path"]) else MOST_BODY
    )
    announced = header(scope["headers"], b"content-length") or ""
    taken = int(announced) if announced.isdigit() else 0
    too_large = HTTPException(413, f"That is more than {most >> 10:,} KiB")
    whole = False
    seen = 0

    async def bounded() -> Message:
        nonlocal seen, whole
        if whole:
            return await receive()
        if taken > most:
            raise too_large
        try:
            async with asyncio.timeout(BODY_SECONDS):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "The rest of the request never came") from None
        seen += len(message.get("body", b""))
        whole = not message.get("more_body", False)
        if seen > most:
            raise too_large
        return message

    return bounded


async def _turn_away(scope: Scope, receive: Receive, send: Send, refusal: TalekeeperError, request: str) -> None:
    body = {"error": {"code": refusal.code, "message": refusal.message, "hint": refusal.hint, "request": request}}
    answer = JSONResponse(body, refusal.status, headers={"x-request-id": request})
    if refusal.retry_after is not None:
        answer.headers["retry-after"] = str(max(1, round(refusal.retry_after)))
    log.info("turned_away", path=scope["path"], code=refusal.code)
    await answer(scope, receive, send)
