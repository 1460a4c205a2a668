"""Watching a world live: a WebSocket that never closes by itself, and server-sent events for one turn."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Annotated, Any

import structlog
from fastapi import Header, Query, WebSocket, WebSocketDisconnect
from fastapi.responses import StreamingResponse
from sqlalchemy import Connection

from talekeeper.doors.common.audience import Audience, Watcher
from talekeeper.doors.common.traffic import Traffic
from talekeeper.doors.web.api_router import api_router
from talekeeper.doors.web.entrance import TheAudience, TheHouse, TheTraffic, Watching
from talekeeper.errors import NotFound
from talekeeper.timeline.lineage import get_timeline, path
from talekeeper.timeline.snapshots import latest_snapshot
from talekeeper.timeline.worlds import get_world

log = structlog.get_logger("talekeeper.live")

router = api_router("/worlds/{world}", "play")

_DOOR = "live"
MOST_HEARD = 200
CLOSE_SECONDS = 2.0
_SLOW, _CLOSING, _LEFT = 1013, 1012, 1008
"""Try again later; the service restarts; you have no seat here any more."""

TurnId = Annotated[str | None, Query(max_length=40, description="The turn you are watching.", examples=["t1#4"])]
Attempt = Annotated[int | None, Query(ge=1, le=100, description="Of that turn, as its frames said.")]
FromSeq = Annotated[int, Query(ge=0, le=10**9, description="The first frame you have not seen.")]


@router.websocket("/live")
async def live(
    socket: WebSocket,
    seat: Watching,
    house: TheHouse,
    audience: TheAudience,
    traffic: TheTraffic,
    turn: TurnId = None,
    attempt: Attempt = None,
    from_seq: FromSeq = 0,
) -> None:
    """First `hello`, then the running turn's frames, then every later turn's as they start, and what happens at the table."""
    await socket.accept()
    stands = await house.store.read(lambda conn: standing(conn, seat.world))
    watcher = audience.join(seat, stands, turn=turn, attempt=attempt, from_seq=from_seq)
    traffic.sockets.labels(_DOOR).inc()
    try:
        await _serve(socket, watcher, traffic)
    finally:
        traffic.sockets.labels(_DOOR).dec()
        audience.leave(watcher)


def standing(conn: Connection, world: str) -> dict[str, Any]:
    """Where the world is: what a client compares with what it has seen."""
    found = get_world(conn, world)
    snapshot = latest_snapshot(conn, path(conn, found.slug, found.active))
    return {
        "timeline": found.active,
        "scene": snapshot.scene if snapshot else "",
        "turn_number": snapshot.turn_number if snapshot else 0,
        "head": get_timeline(conn, found.slug, found.active).head,
    }


async def _serve(socket: WebSocket, watcher: Watcher, traffic: Traffic) -> None:
    """Sends until the client goes or has to go. It reads all the time, so that a closing server is noticed."""
    reading = asyncio.ensure_future(_read(socket, watcher))
    sending = asyncio.ensure_future(_send(socket, watcher, traffic))
    watcher.when_slow = sending.cancel
    try:
        await asyncio.wait((sending,))
        if watcher.ended == "slow":
            traffic.lost.labels(_DOOR).inc()
        if not reading.done():
            async with asyncio.timeout(CLOSE_SECONDS):
                await socket.close({"slow": _SLOW, "closing": _CLOSING}.get(watcher.ended, _LEFT))
    except (TimeoutError, RuntimeError, OSError, WebSocketDisconnect):
        log.info("watcher_lost", world=watcher.seat.world, seat=watcher.seat.id)
    finally:
        sending.cancel()
        reading.cancel()


async def _send(socket: WebSocket, watcher: Watcher, traffic: Traffic) -> None:
    sent = traffic.sent.labels(_DOOR)
    with contextlib.suppress(RuntimeError, OSError, WebSocketDisconnect):
        while messages := await watcher.take():
            for message in messages:
                await socket.send({"type": "websocket.send", "text": message.text})
            sent.inc(len(messages))


async def _read(socket: WebSocket, watcher: Watcher) -> None:
    """Nothing is asked over this socket: whoever talks and talks is sent away."""
    for _ in range(MOST_HEARD):
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            break
    watcher.end("left")


@router.get(
    "/stream",
    summary="One turn as server-sent events: the one that is running, or the one you name",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Frames, each one event."}},
)
async def stream(
    seat: Watching,
    audience: TheAudience,
    turn: TurnId = None,
    from_seq: FromSeq = 0,
    last_event_id: Annotated[str | None, Header(max_length=40)] = None,
) -> StreamingResponse:
    running = audience.kept(seat.world, turn)
    if running is None:
        raise NotFound("That turn is not being told right now.", "Ended turns are under /turns.")
    attempt, _, seq = (last_event_id or "").partition(".")
    if seq.isdigit():
        watcher = audience.join(seat, None, turn=running.turn, attempt=_number(attempt), from_seq=int(seq) + 1)
    else:
        watcher = audience.join(seat, None, turn=running.turn, from_seq=from_seq)
    told = _events(audience, watcher, running.turn)
    return StreamingResponse(told, media_type="text/event-stream", headers={"Cache-Control": "no-store"})


async def _events(audience: Audience, watcher: Watcher, turn: str) -> AsyncIterator[bytes]:
    try:
        while messages := await watcher.take():
            for message in messages:
                frame = message.frame
                if frame is not None and frame.turn == turn:
                    yield f"id: {frame.attempt}.{frame.seq}\ndata: {message.text}\n\n".encode()
                    if message.type == "turn_ended":
                        return
    finally:
        audience.leave(watcher)


def _number(text: str) -> int:
    return int(text) if text.isdigit() else 0
