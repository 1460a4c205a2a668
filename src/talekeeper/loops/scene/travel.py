"""Moving between timelines: backtrack, undo, fork and switch are one operation, and the old future stays reachable."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.errors import BadInput, NotAllowed, TurnInProgress
from talekeeper.loops.intents import Backtrack, Fork, Switch
from talekeeper.loops.scene.work import Services
from talekeeper.timeline.append import lock_head
from talekeeper.timeline.directives import Directive, directives
from talekeeper.timeline.events import get_event
from talekeeper.timeline.ids import event_id
from talekeeper.timeline.lineage import Path, Timeline, fork, get_timeline, path
from talekeeper.timeline.turns import last_turn, running_turn, turn_on_path
from talekeeper.timeline.vocabulary import DirectiveGiven, Draft, ForkReason, TimelineForked
from talekeeper.timeline.worlds import World, get_world, set_active

TRAVELLERS = ("owner", "game_master")


class Arrival(msgspec.Struct, frozen=True):
    timeline: str
    turn_number: int
    """The last turn that has happened there."""


def backtrack(conn: Connection, services: Services, intent: Backtrack) -> Arrival:
    """Forks at the chosen turn and moves the world there."""
    may_travel(intent.role)
    world = get_world(conn, intent.world)
    timeline = intent.timeline or world.active
    past = path(conn, world.slug, timeline)
    last = last_turn(conn, past)
    now = last.number if last else 0
    number = intent.to if intent.to is not None else now - (1 if intent.back is None else intent.back)
    if not now:
        raise BadInput("Nothing has happened yet.", "Say what you do first.")
    if not 0 <= number < now:
        raise BadInput(
            f"There is no way back to turn {number}.",
            f"You are at turn {now}; choose one from 0 (the opening) to {now - 1}.",
        )
    # One turn back keeps what was decided between the turns; further back is exactly as that turn ended.
    at_seq = last.base_seq if last and number == now - 1 else _end_of(conn, past, number)
    branch = leave(conn, services, world, timeline, at_seq, reason="undo" if number == now - 1 else "backtrack")
    return Arrival(branch.id, number)


def fork_timeline(conn: Connection, services: Services, intent: Fork) -> Arrival:
    may_travel(intent.role)
    world = get_world(conn, intent.world)
    timeline = intent.timeline or world.active
    past = path(conn, world.slug, timeline)
    last = last_turn(conn, past)
    number = last.number if last else 0
    at_seq = get_timeline(conn, world.slug, timeline).head
    if intent.at is not None and intent.at != number:
        if not 0 <= intent.at <= number:
            raise BadInput(f"There is no turn {intent.at} here.", f"Choose one from 0 to {number}.")
        number, at_seq = intent.at, _end_of(conn, past, intent.at)
    name = " ".join(intent.name.split())[:80]
    branch = leave(conn, services, world, timeline, at_seq, reason="fork", name=name)
    return Arrival(branch.id, number)


def switch(conn: Connection, services: Services, intent: Switch) -> Arrival:
    may_travel(intent.role)
    world = get_world(conn, intent.world)
    if intent.timeline is None:
        raise BadInput("Which timeline?", "See /timelines for their names.")
    timeline = get_timeline(conn, world.slug, intent.timeline)
    _not_while_telling(conn, world)
    _take_along(conn, services, world, timeline.id)
    set_active(conn, world.slug, timeline.id, services.clock())
    return whereabouts(conn, world.slug)


def whereabouts(conn: Connection, world: str) -> Arrival:
    active = get_world(conn, world).active
    last = last_turn(conn, path(conn, world, active))
    return Arrival(active, last.number if last else 0)


def leave(
    conn: Connection,
    services: Services,
    world: World,
    timeline: str,
    at_seq: int,
    *,
    reason: ForkReason,
    name: str = "",
) -> Timeline:
    """Fork and go there."""
    _not_while_telling(conn, world)
    now = services.clock()
    at_seq = _before_marker(conn, path(conn, world.slug, timeline), at_seq)
    branch = fork(conn, world.slug, timeline, at_seq, reason=reason, name=name, now=now)
    forked = TimelineForked(parent=branch.parent or timeline, at_seq=at_seq, reason=reason, name=name)
    services.appender.append(conn, world.slug, branch.id, [Draft(body=forked, by="owner")])
    _take_along(conn, services, world, branch.id)
    set_active(conn, world.slug, branch.id, now)
    return get_timeline(conn, world.slug, branch.id)


def _take_along(conn: Connection, services: Services, world: World, to: str) -> None:
    """Lines, veils and the X-card are the table's and not the story's: they hold wherever the table goes."""
    here = _safety(conn, path(conn, world.slug, world.active))
    if not here:
        return
    there = {directive.text for directive in _safety(conn, path(conn, world.slug, to))}
    missing = [
        Draft(body=DirectiveGiven(text=d.text, source="safety", priority=d.priority, never=d.never), by="owner")
        for d in here
        if d.text not in there
    ]
    if missing:
        services.appender.append(conn, world.slug, to, missing)


def _safety(conn: Connection, past: Path) -> list[Directive]:
    return [directive for directive in directives(conn, past, "", 0) if directive.source == "safety"]


def may_travel(role: str) -> None:
    """Moving the world moves everybody in it."""
    if role not in TRAVELLERS:
        raise NotAllowed(
            f"The role {role} may not move the world to another timeline.", "The owner or game master can."
        )


def _before_marker(conn: Connection, past: Path, at_seq: int) -> int:
    """Leaving a branch before anything happened on it is leaving its parent; its own marker is nothing to inherit.

    Swiping through ten tellings makes ten siblings, not a line of ten.
    """
    event = get_event(conn, past.world, event_id(past.owner(at_seq), at_seq)) if at_seq > 1 else None
    return event.body.at_seq if event is not None and isinstance(event.body, TimelineForked) else at_seq


def _not_while_telling(conn: Connection, world: World) -> None:
    lock_head(conn, world.slug, world.active)
    running = running_turn(conn, world.slug, world.active)
    if running is not None:
        raise TurnInProgress(f"Turn {running.number} is still being told.", "Wait for it to end, or stop it first.")


def _end_of(conn: Connection, past: Path, number: int) -> int:
    if number == 0:
        first = turn_on_path(conn, past, 1)
        if first is None:
            raise BadInput("Nothing has happened yet.")
        return first.base_seq
    turn = turn_on_path(conn, past, number)
    if turn is None or turn.last_seq is None:
        raise BadInput(f"There is no turn {number} on this timeline.")
    return turn.last_seq
