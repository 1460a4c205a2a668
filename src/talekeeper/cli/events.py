"""`talekeeper events tail`: what happened, as it happened; with a durable cursor if somebody follows."""

from __future__ import annotations

import time
from typing import Annotated

import msgspec
import typer
from sqlalchemy import Connection, select

from talekeeper.cli.console import aside, command_group, say, short, show_json_line
from talekeeper.cli.opening import JsonOption, TimelineOption, WorldArgument, chosen_path, chosen_world, opened_store
from talekeeper.errors import BadInput
from talekeeper.timeline.events import read_events
from talekeeper.timeline.feed import acknowledge, cursor_table, follow
from talekeeper.timeline.lineage import Path, path
from talekeeper.timeline.store import Store
from talekeeper.timeline.vocabulary import Event

app = command_group("The events of a world.")

_POLL_SECONDS = 0.5
_PAGE = 500


@app.callback()
def _group() -> None:
    """The events of a world."""


@app.command("tail")
def tail(
    world: WorldArgument = None,
    count: Annotated[int, typer.Option("-n", min=0, metavar="N", help="How many to begin with.")] = 20,
    follow_: Annotated[bool, typer.Option("--follow", "-f", help="Go on as more happens; Ctrl-C ends it.")] = False,
    follower: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Begin where this follower stopped last time, and remember how far it came.",
            show_default=False,
        ),
    ] = None,
    timeline: TimelineOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show the last events of a timeline, oldest first.

    With --json one object a line. Without --timeline it follows the world: when play moves to another timeline, so does
    the tail. A follower is told every event once (or, if it was cut off, once more), however long it was away.

    Example: talekeeper events tail old-harbour --follow --follower my-bot --json
    """
    if follower is not None and not follower.strip():
        raise BadInput("A follower needs a name.", "For example --follower my-bot.")
    with opened_store() as store:
        tape = _Tape(store, world, timeline, follower, as_json=as_json)
        tape.begin(count)
        while follow_:
            time.sleep(_POLL_SECONDS)
            tape.catch_up()


class _Tape:
    """One run of the tail: which timeline, and how far it has come on it."""

    def __init__(
        self, store: Store, world: str | None, timeline: str | None, follower: str | None, *, as_json: bool
    ) -> None:
        self._store = store
        self._world = store.read_now(lambda conn: chosen_world(conn, world)).slug
        self._pinned = timeline
        self._follower = follower or ""
        self._as_json = as_json
        self._past = self._read_path()
        self._seen = 0

    def begin(self, count: int) -> None:
        if self._follower:
            self._seen = self._store.read_now(self._resume)
            self.catch_up()
            return
        newest = self._store.read_now(
            lambda conn: list(read_events(conn, self._past, limit=count, newest_first=True)) if count else []
        )
        for event in reversed(newest):
            self._show(event)
        self._seen = newest[0].seq if newest else self._store.read_now(self._head)

    def catch_up(self) -> None:
        now = self._read_path()
        if now.timeline != self._past.timeline:
            self._seen = min(self._seen, self._past.shared_with(now))
            self._past = now
            aside(f"now on {now.timeline}")
        while events := self._store.read_now(lambda conn: follow(conn, self._world, now.timeline, self._seen, _PAGE)):
            for event in events:
                self._show(event)
            self._seen = events[-1].seq
            if self._follower:
                self._store.write_now(self._acknowledge)

    def _read_path(self) -> Path:
        return self._store.read_now(lambda conn: chosen_path(conn, chosen_world(conn, self._world), self._pinned))

    def _head(self, conn: Connection) -> int:
        return max((event.seq for event in read_events(conn, self._past, limit=1, newest_first=True)), default=0)

    def _resume(self, conn: Connection) -> int:
        """What the follower saw on any timeline counts as far as this one shares it: a fork does not begin the story again."""
        c = cursor_table.c
        cursors = conn.execute(select(c.timeline, c.seq).where(c.follower == self._follower, c.world == self._world))
        return max((min(seq, path(conn, self._world, t).shared_with(self._past)) for t, seq in cursors), default=0)

    def _acknowledge(self, conn: Connection) -> None:
        acknowledge(conn, self._follower, self._world, self._past.timeline, self._seen)

    def _show(self, event: Event) -> None:
        told = msgspec.to_builtins(event)
        if self._as_json:
            show_json_line({"id": event.id, **told})
        else:
            at = time.strftime("%H:%M:%S", time.localtime(event.at))
            turn = f"#{event.turn.partition('#')[2]}" if event.turn else ""
            say(f"{event.id:<8} {at} {turn:<4} {event.kind:<18} {event.by}: {short(_gist(told['body']), 120)}")


def _gist(body: dict[str, object]) -> str:
    """The words of it, or else everything it says."""
    for key in ("text", "detail", "reason", "title"):
        if isinstance(said := body.get(key), str) and said:
            return said
    return ", ".join(f"{key} {value}" for key, value in body.items())
