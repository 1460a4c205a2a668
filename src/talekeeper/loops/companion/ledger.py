"""A session told as a ledger: what was said and still stands, what the companion did, what stood out."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.scribe import Deed, blog_seeds, clips, summarise
from talekeeper.chronicle.ledger import (
    LedgerAction,
    LedgerClip,
    LedgerLine,
    LedgerRecord,
    LedgerSeed,
    LedgerSummary,
    choose_discussion,
    pulse,
)
from talekeeper.loops.companion import dashboards
from talekeeper.loops.companion.actions import SAME_MOMENT, Action, actions_of, read_clip
from talekeeper.loops.companion.automata import Automata
from talekeeper.loops.companion.hearing import flags_of, lines_of
from talekeeper.loops.companion.session import Session

MOST_DISCUSSION = 30
_SAID = ("sent", "unknown", "shown")


class LedgerWish(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    now: float
    name: str = "Sanctum"
    silent: frozenset[str] = frozenset()
    """Names that are not people."""


def people_of(conn: Connection, session: Session, silent: frozenset[str]) -> list[ChatLine]:
    """What people said in a session: no flagged line, no bot, nothing taken back."""
    flagged = flags_of(conn, session)
    lines = [
        line
        for line in lines_of(conn, session)
        if line.id not in flagged and not line.bot and not line.foreign and line.name not in silent
    ]
    automata = Automata()
    for line in lines:
        automata.note(line)
    # What a machine said before it was known to be one is left out as well.
    return [line for line in lines if not automata.is_one(line.name)]


def ledger_record(conn: Connection, wish: LedgerWish) -> LedgerRecord:
    session = wish.session
    people = people_of(conn, session, wish.silent)
    actions = actions_of(conn, session.id, limit=5000)
    done = tuple(map(_action, filter(_told, actions)))
    deeds = [Deed(one.at, one.mode, one.text) for one in actions if one.type == "response" and _told(one)]
    dashboard = dashboards.read(session)
    chosen = choose_discussion(people, session.theme, MOST_DISCUSSION)
    return LedgerRecord(
        channel=session.channel, session_id=session.id, started=session.started_at, ended=session.ended_at,
        name=wish.name, theme=session.theme,
        dashboard=msgspec.structs.asdict(dashboard) if dashboard else {},
        discussion=tuple(LedgerLine(line.name, line.text, line.at, line.id, line.display) for line in chosen),
        summary=tuple(LedgerSummary(p.start, p.end, p.text) for p in summarise(people, deeds)),
        actions=done,
        clips=tuple(_clips(people, actions)),
        seeds=tuple(LedgerSeed(seed.topic, seed.description) for seed in blog_seeds(people, session.theme)),
        pulse=pulse(people, session.started_at, session.ended_at or wish.now),
    )  # fmt: skip


def _told(action: Action) -> bool:
    """Clips and seeds have parts of their own; a line that was dropped was not said."""
    if action.type == "response":
        return action.state in _SAID
    return action.type not in ("clip", "blog_seed")


def _action(action: Action) -> LedgerAction:
    text = f"{action.text} (not known whether it arrived)" if action.state == "unknown" else action.text
    return LedgerAction(action.mode, action.type, text, action.at)


def _clips(people: list[ChatLine], actions: list[Action]) -> Iterator[LedgerClip]:
    """Those that were found as the stream went on, and those that stand out only against the whole of it."""
    known = [(read_clip(action), action) for action in actions if action.type == "clip"]
    for body, action in known:
        yield LedgerClip(body.start, body.peak, body.end, action.text, action.state == "marked")
    for clip in clips.find(people):
        if all(abs(clip.peak - body.peak) > SAME_MOMENT for body, _ in known):
            yield LedgerClip(clip.start, clip.peak, clip.end, clip.reason)
