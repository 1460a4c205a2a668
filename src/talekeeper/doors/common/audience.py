"""Everybody who watches a world: turns as they are told, and what happens at the table, each as far as it is for their seat.

A watcher that cannot keep up is let go; it comes back with the last seq it has seen and misses nothing.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple

import msgspec

from talekeeper.doors.common.seats import Seat
from talekeeper.loops.frames import EVERYONE, AnyFrame, TagChunk
from talekeeper.loops.running import RunningTurn
from talekeeper.observe.tasks import Supervisor

MOST_WAITING = 4000
"""Messages a watcher may be behind."""
KEPT_SECONDS = 120.0
"""How long an ended turn can still be watched from its first frame."""

_encode = msgspec.json.Encoder().encode


class Said(NamedTuple):
    """A message to a watcher: its type, its JSON, and the frame if it is one."""

    type: str
    text: str
    frame: AnyFrame | None = None


class Watcher:
    """One connection and what waits to be sent over it. Without `table`, it gets the frames of turns and nothing else."""

    def __init__(self, seat: Seat, *, table: bool = True) -> None:
        self.seat = seat
        self.table = table
        self.ended: Literal["", "slow", "closing", "left"] = ""
        self.when_slow: Callable[[], object] = lambda: None
        """Called when it falls too far behind: whoever sends may be waiting for a client that never reads."""
        self._waiting: deque[Said] = deque()
        self._news = asyncio.Event()

    def put(self, message: Said) -> None:
        if len(self._waiting) >= MOST_WAITING and not self.ended:
            self.end("slow")
            self.when_slow()
        elif not self.ended:
            self._waiting.append(message)
            self._news.set()

    def end(self, why: Literal["slow", "closing", "left"]) -> None:
        self.ended = self.ended or why
        self._news.set()

    async def take(self) -> list[Said]:
        """All that waits, at least one message; empty when it has ended."""
        while not self._waiting:
            if self.ended:
                return []
            self._news.clear()
            await self._news.wait()
        if len(self._waiting) == 1:
            return [self._waiting.popleft()]
        taken = list(_joined(self._waiting))
        self._waiting.clear()
        return taken


def _joined(waiting: Iterable[Said]) -> Iterator[Said]:
    """Whoever is behind gets the words that wait for them in one piece; its seq is that of the last."""
    run: list[TagChunk] = []
    for said in waiting:
        frame = said.frame
        if isinstance(frame, TagChunk) and (not run or (frame.turn, frame.tag_id) == (run[0].turn, run[0].tag_id)):
            run.append(frame)
            continue
        yield from _one_piece(run)
        run = []
        if isinstance(frame, TagChunk):
            run = [frame]
        else:
            yield said
    yield from _one_piece(run)


def _one_piece(run: list[TagChunk]) -> Iterator[Said]:
    if run:
        whole = msgspec.structs.replace(run[-1], text="".join(chunk.text for chunk in run))
        yield Said("tag_chunk", _encode(whole).decode(), whole)


class _Showing:
    """A turn and how far it has been shown to those who watch."""

    def __init__(self, running: RunningTurn) -> None:
        self.running = running
        self.shown: list[AnyFrame] = []


class Standing(NamedTuple):
    """Where a world is: the timeline being played, and its last event."""

    timeline: str
    head: int


class _Hall:
    """The watchers of one world, and the last turn of each of its scenes that was told here."""

    def __init__(self) -> None:
        self.watchers: set[Watcher] = set()
        self.showings: dict[str, _Showing] = {}
        self.presence = Said("presence", "")
        self.stands: Standing | None = None


class Audience:
    def __init__(self, tasks: Supervisor) -> None:
        self._tasks = tasks
        self._halls: dict[str, _Hall] = {}
        self._over: deque[tuple[float, _Hall, _Showing]] = deque()
        self._closing = False

    # --- turns

    def begun(self, running: RunningTurn) -> None:
        self._drop_old()
        hall = self._hall(running.world)
        showing = hall.showings[running.turn] = _Showing(running)
        self._tasks.spawn(self._show(hall, showing), f"show {running.world} {running.turn}")

    async def _show(self, hall: _Hall, showing: _Showing) -> None:
        async for frame in showing.running.watch():
            showing.shown.append(frame)
            if hall.watchers:
                _give(hall.watchers, frame)
        hall.stands = None
        self._over.append((asyncio.get_running_loop().time(), hall, showing))

    def _drop_old(self) -> None:
        past = asyncio.get_running_loop().time() - KEPT_SECONDS
        while self._over and self._over[0][0] < past:
            _, hall, showing = self._over.popleft()
            if hall.showings.get(showing.running.turn) is showing:
                del hall.showings[showing.running.turn]

    def kept(self, world: str, turn: str | None = None) -> RunningTurn | None:
        """The turn asked for, if it runs or ended a moment ago; without one, the newest."""
        showings = self._hall(world).showings
        found = showings.get(turn) if turn is not None else next(reversed(showings.values()), None)
        return found.running if found else None

    # --- watchers

    def join(
        self,
        seat: Seat,
        hello: dict[str, Any] | None,
        *,
        turn: str | None = None,
        attempt: int | None = None,
        from_seq: int = 0,
    ) -> Watcher:
        """A new watcher: it gets `hello`, then what has been shown of running turns, and of `turn` from `from_seq` on.

        Without `hello` it is not at the table: nobody is told of it, and it gets frames only. Ended turns nobody asks
        for are on the timeline; one that was asked for and is not kept any more is `missed`.
        """
        hall = self._hall(seat.world)
        watcher = Watcher(seat, table=hello is not None)
        if hello is not None:
            watcher.put(_said("hello", {"seat": seat.id, **hello}))
            if turn is not None and turn not in hall.showings:
                watcher.put(_said("missed", {"turn": turn}))
        for name, showing in hall.showings.items():
            if name == turn or not showing.running.ended.is_set():
                # Of another attempt, nothing the client has seen counts: it is told anew.
                known = from_seq if name == turn and attempt in (None, showing.running.attempt) else 0
                _give([watcher], *(frame for frame in showing.shown if frame.seq >= known))
        if self._closing:
            watcher.end("closing")
        hall.watchers.add(watcher)
        if watcher.table and not self._tell_presence(seat.world):
            watcher.put(hall.presence)
        return watcher

    def leave(self, watcher: Watcher) -> None:
        hall = self._hall(watcher.seat.world)
        watcher.end("left")
        hall.watchers.discard(watcher)
        if watcher.table:
            self._tell_presence(watcher.seat.world)

    def reseat(self, world: str, seat: str, to: Seat | None) -> None:
        """A seat has changed or is gone: its watchers see from now on what it may see."""
        for watcher in [w for w in self._hall(world).watchers if w.seat.id == seat]:
            if to is None:
                watcher.end("left")
            else:
                watcher.seat = to
        self._tell_presence(world)

    def present(self, world: str) -> list[Seat]:
        """Seats with at least one watcher, by name."""
        seats = {w.seat.id: w.seat for w in self._hall(world).watchers if w.table and not w.ended}
        return sorted(seats.values(), key=lambda seat: (seat.name.casefold(), seat.id))

    @property
    def watched(self) -> list[str]:
        return [world for world, hall in self._halls.items() if hall.watchers]

    def size(self) -> int:
        return sum(len(hall.watchers) for hall in self._halls.values())

    # --- the table

    def tell(self, world: str, what: str, *, recipients: tuple[str, ...] = EVERYONE, **fields: Any) -> None:
        """Something other than a turn: presence, moved, whisper, rolled."""
        message = _said(what, fields)
        for watcher in list(self._hall(world).watchers):
            if watcher.table and (recipients == EVERYONE or watcher.seat.id in recipients):
                watcher.put(message)

    def moved(self, world: str, timeline: str, **fields: Any) -> None:
        """Somebody here moved the world."""
        self._hall(world).stands = None
        self.tell(world, "moved", timeline=timeline, **fields)

    def changed(self, world: str, **fields: Any) -> None:
        """Somebody here changed something else about it."""
        self._hall(world).stands = None
        self.tell(world, "changed", **fields)

    def found(self, world: str, stands: Standing) -> None:
        """What the store says. What nobody here has done was done elsewhere: in a terminal, by another process."""
        hall = self._hall(world)
        before, hall.stands = hall.stands, stands
        if any(not showing.running.ended.is_set() for showing in hall.showings.values()):
            # A turn moves the head all the time; what comes of it is shown as it comes.
            hall.stands = None
        elif before is not None and before.timeline != stands.timeline:
            self.tell(world, "moved", timeline=stands.timeline)
        elif before is not None and before.head < stands.head:
            self.tell(world, "changed", head=stands.head)

    def _tell_presence(self, world: str) -> bool:
        """Says whether anybody had to be told: a second window of somebody who is there is no news."""
        hall = self._hall(world)
        seats = [{"seat": s.id, "name": s.name, "role": s.role, "actor": s.actor} for s in self.present(world)]
        now = _said("presence", {"seats": seats})
        if now == hall.presence:
            return False
        hall.presence = now
        for watcher in hall.watchers:
            if watcher.table:
                watcher.put(now)
        return True

    def forget(self, world: str) -> None:
        """The world is gone."""
        hall = self._halls.pop(world, None)
        for watcher in list(hall.watchers) if hall else ():
            watcher.end("left")

    def close(self) -> None:
        """The server is going: everybody is let go, and comes back to the next one."""
        self._closing = True
        for hall in self._halls.values():
            for watcher in list(hall.watchers):
                watcher.end("closing")

    def _hall(self, world: str) -> _Hall:
        return self._halls.setdefault(world, _Hall())


def _give(watchers: Iterable[Watcher], *frames: AnyFrame) -> None:
    for frame in frames:
        kind = str(frame.__struct_config__.tag)
        said = Said(kind, _encode(frame).decode(), frame)
        for watcher in list(watchers):
            if frame.to == EVERYONE or watcher.seat.id in frame.to:
                watcher.put(said)


def _said(kind: str, fields: dict[str, Any]) -> Said:
    return Said(kind, _encode({"type": kind, **fields}).decode())
