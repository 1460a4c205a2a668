"""Socket.IO at /socket.io. In: storybeat, stop, join, leave. Out: frame, turn, snapshot, error, and the table's news."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any, TypeVar

import msgspec
import socketio
import structlog
from sqlalchemy import Connection

from talekeeper.canon.view import CanonView
from talekeeper.doors.common.audience import Audience, Said, Watcher
from talekeeper.doors.common.gate import HOST, Caller, Gate
from talekeeper.doors.common.hosts import Hosts
from talekeeper.doors.common.house import House
from talekeeper.doors.common.limits import Limits
from talekeeper.doors.common.seats import Seat
from talekeeper.doors.common.table import Table
from talekeeper.doors.common.traffic import Traffic
from talekeeper.doors.web.entrance import COOKIE
from talekeeper.doors.web.live import standing
from talekeeper.doors.web.turns import turn_out
from talekeeper.errors import BadInput, NotAllowed, TalekeeperError, TooMuch, Unauthorized
from talekeeper.loops.intents import Act, Stop
from talekeeper.timeline.lineage import path
from talekeeper.timeline.pages import shown_turns
from talekeeper.timeline.worlds import get_world

log = structlog.get_logger("talekeeper.socketio")

T = TypeVar("T")

MOST_MESSAGE = 64 << 10
_AT_ONCE = 8
"""Messages in one go: the Python client takes no more than sixteen packets in one polled answer."""
SEND_SECONDS = 20.0
"""How long what was sent may wait for a client that does not read."""
MOST_WORLDS = 8
"""Worlds one client may watch at once."""


class Storybeat(msgspec.Struct, frozen=True):
    world: str
    text: str
    scene: str | None = None
    idem: str | None = None


class Join(msgspec.Struct, frozen=True):
    world: str
    turn: str | None = None
    attempt: int | None = None
    from_seq: int = 0


class AboutWorld(msgspec.Struct, frozen=True):
    world: str


class _Client:
    """One connection: who it is, and the worlds it watches."""

    def __init__(self, cookie: str | None, token: str | None, key: str) -> None:
        self.cookie = cookie
        self.token = token
        self.key = key
        """Whose idempotency keys these are: several programs of one person do not meet in theirs."""
        self.watching: dict[str, Watcher] = {}


class SocketIODoor:
    def __init__(
        self, house: House, gate: Gate, table: Table, audience: Audience, limits: Limits, hosts: Hosts, traffic: Traffic,
        *, ping_interval: float, ping_timeout: float,
    ) -> None:  # fmt: skip
        self._house = house
        self._gate = gate
        self._table = table
        self._audience = audience
        self._limits = limits
        self._open = traffic.sockets.labels("socketio")
        self._sent = traffic.sent.labels("socketio")
        self._lost = traffic.lost.labels("socketio")
        self._clients: dict[str, _Client] = {}
        self._server = socketio.AsyncServer(
            async_mode="asgi",
            # The threshold has checked it already; both of them have the same list.
            cors_allowed_origins=lambda origin, environ: hosts.may_come_from(origin, environ.get("HTTP_HOST", "")),
            max_http_buffer_size=MOST_MESSAGE,
            ping_interval=ping_interval,
            ping_timeout=ping_timeout,
            logger=False,
            engineio_logger=False,
        )
        self._server.on("connect", self._connect)
        self._server.on("disconnect", self._disconnect)
        for event, handle in (
            ("storybeat", self._storybeat),
            ("stop", self._stop),
            ("join", self._join),
            ("leave", self._leave),
        ):
            self._server.on(event, self._guarded(handle))
        self._server.on("*", self._unknown)
        self.app = socketio.ASGIApp(self._server)

    # --- coming and going

    async def _connect(self, sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        try:
            client = await self._let_in(environ, auth if isinstance(auth, dict) else {})
        except TalekeeperError as error:
            raise socketio.exceptions.ConnectionRefusedError(_problem(error)) from error
        self._clients[sid] = client
        self._open.inc()
        if not self._house.scenes.is_warm:
            await self._emit(sid, "notice", {"code": "not_ready", "message": "The house is still waking up."})

    async def _let_in(self, environ: dict[str, Any], auth: dict[str, Any]) -> _Client:
        token, user = auth.get("token"), auth.get("user_id")
        client = _Client(_cookie(environ), token if isinstance(token, str) and token else None, "")
        if await self._caller(client) == HOST:
            client.key = str(user).strip()[:80] if isinstance(user, str | int) else ""
            if not client.key:
                raise Unauthorized("Who are you?", "Send {user_id} when you connect.")
        return client

    async def _caller(self, client: _Client) -> Caller:
        """Asked anew for every event: a token may have been revoked, a login ended."""
        caller = await self._gate.caller(cookie=client.cookie, token=client.token)
        if caller is None:
            raise Unauthorized("Who are you?", "Send {token} when you connect, or log in.")
        return caller

    async def _disconnect(self, sid: str, *_reason: object) -> None:
        client = self._clients.pop(sid, None)
        if client is not None:
            self._open.dec()
            for watcher in client.watching.values():
                self._audience.leave(watcher)
        if (socket := self._socket(sid)) is not None:
            # The library leaves the last poll of a client that has gone waiting for its time-out.
            socket.queue.put_nowait(None)

    # --- events in

    def _guarded(self, handle: Callable[[str, _Client, Any], Awaitable[dict[str, Any]]]) -> Any:
        """The acknowledgement is what the handler says, or the error; the error is also sent as an event."""

        async def handler(sid: str, data: Any = None) -> dict[str, Any]:
            client = self._clients.get(sid)
            if client is None:
                return {"error": _problem(Unauthorized("Who are you?", "Connect again."))}
            try:
                self._limits.count("message", f"socketio/{sid}")
                return await handle(sid, client, data)
            except TalekeeperError as error:
                await self._emit(sid, "error", _problem(error))
                if isinstance(error, TooMuch) and error.status == 429:
                    await self._server.disconnect(sid)
                return {"error": _problem(error)}
            except Exception:
                log.exception("socketio_broke")
                broken = TalekeeperError("Something broke on our side.", "Try again; the log has the details.")
                return {"error": _problem(broken)}

        return handler

    async def _storybeat(self, sid: str, client: _Client, data: Any) -> dict[str, Any]:
        beat = _read(data, Storybeat)
        seat = await self._seat(client, beat.world)
        seat.check("play")
        if beat.scene is not None:
            await self._check_scene(seat, beat.scene)
        await self._watch(sid, client, seat, Join(beat.world))
        idem = f"{client.key}/{beat.idem}" if beat.idem is not None else None
        told = await self._table.act(seat, Act(world=seat.world, text=beat.text, idem=idem))
        return {"turn": told.turn, "world": seat.world}

    async def _stop(self, _sid: str, client: _Client, data: Any) -> dict[str, Any]:
        seat = await self._seat(client, _read(data, AboutWorld).world)
        await self._table.carry_out(seat, Stop(world=seat.world))
        return {"stopped": True, "world": seat.world}

    async def _join(self, sid: str, client: _Client, data: Any) -> dict[str, Any]:
        wish = _read(data, Join)
        seat = await self._seat(client, wish.world)
        return await self._watch(sid, client, seat, wish, again=True)

    async def _leave(self, _sid: str, client: _Client, data: Any) -> dict[str, Any]:
        world = _read(data, AboutWorld).world
        watcher = client.watching.pop(world, None)
        if watcher is not None:
            self._audience.leave(watcher)
        return {"left": watcher is not None, "world": world[:80]}

    async def _unknown(self, event: str, sid: str, *_data: object) -> dict[str, Any]:
        error = BadInput(f"There is no event {event[:40]!r}.", "There are storybeat, stop, join and leave.")
        await self._emit(sid, "error", _problem(error))
        return {"error": _problem(error)}

    async def _seat(self, client: _Client, world: str) -> Seat:
        return await self._gate.seat(await self._caller(client), world, "watch")

    async def _check_scene(self, seat: Seat, scene: str) -> None:
        stands = await self._house.store.read(lambda conn: standing(conn, seat.world))
        if stands["scene"] != scene:
            raise BadInput(f"The scene being played is {stands['scene']}, not {scene[:40]!r}.", "Leave `scene` out.")

    # --- events out

    async def _watch(self, sid: str, client: _Client, seat: Seat, wish: Join, *, again: bool = False) -> dict[str, Any]:
        stands = await self._house.store.read(lambda conn: standing(conn, seat.world))
        known = client.watching.get(seat.world)
        if known is not None and not known.ended and not again:
            return stands
        if known is not None:
            self._audience.leave(known)
        elif len(client.watching) >= MOST_WORLDS:
            raise NotAllowed(f"You watch {MOST_WORLDS} worlds already.", "Leave one of them first.")
        watcher = self._audience.join(seat, stands, turn=wish.turn, attempt=wish.attempt, from_seq=wish.from_seq)
        client.watching[seat.world] = watcher
        self._server.start_background_task(self._pump, sid, watcher)
        return {**stands, "seat": seat.id, "world": seat.world}

    async def _pump(self, sid: str, watcher: Watcher) -> None:
        sent = 0
        try:
            while messages := await watcher.take():
                for message in messages:
                    await self._pass_on(sid, watcher.seat.world, message)
                    sent += 1
                    if sent % _AT_ONCE == 0:
                        await self._taken(sid)
        except TimeoutError:
            watcher.end("slow")
        if watcher.ended == "slow":
            self._lost.inc()
            await self._server.disconnect(sid)

    async def _pass_on(self, sid: str, world: str, said: Said) -> None:
        message = {"world": world, **msgspec.json.decode(said.text)}
        await self._emit(sid, "frame" if said.frame else said.type, message)
        if said.type == "snapshot":
            await self._emit(sid, "snapshot", message)
        elif said.type == "turn_ended" and message["state"] != "failed":
            await self._emit(sid, "turn", await self._finished(world, message["turn"]))

    async def _taken(self, sid: str) -> None:
        """Until the client has fetched what was sent: the library's own queue has no bound."""
        if (socket := self._socket(sid)) is not None:
            async with asyncio.timeout(SEND_SECONDS):
                await socket.queue.join()

    def _socket(self, sid: str) -> Any:
        return self._server.eio.sockets.get(self._server.manager.eio_sid_from_sid(sid, "/"))

    async def _finished(self, world: str, turn: str) -> dict[str, Any]:
        """The turn as /turns shows it."""

        def look(conn: Connection) -> dict[str, Any]:
            get_world(conn, world)
            past = path(conn, world, turn.partition("#")[0])
            view = CanonView(conn, past)
            found = [turn_out(view, t) for t in shown_turns(conn, past, limit=2) if t.turn == turn]
            return {"world": world, **(found[0].model_dump() if found else {"turn": turn})}

        return await self._house.store.read(look)

    async def _emit(self, sid: str, event: str, data: dict[str, Any]) -> None:
        self._sent.inc()
        await self._server.emit(event, data, to=sid)

    async def close(self) -> None:
        await asyncio.gather(*(self._server.disconnect(sid) for sid in list(self._clients)), return_exceptions=True)


def _cookie(environ: dict[str, Any]) -> str | None:
    try:
        found = SimpleCookie(environ.get("HTTP_COOKIE", "")).get(COOKIE)
    except CookieError:
        return None
    return found.value if found else None


def _read(data: Any, shape: type[T]) -> T:
    try:
        return msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        raise BadInput(f"The message does not read: {error}.", "See docs/api.md for what it holds.") from error


def _problem(error: TalekeeperError) -> dict[str, Any]:
    return {"code": error.code, "message": error.message, "hint": error.hint, "retryable": error.retryable}
