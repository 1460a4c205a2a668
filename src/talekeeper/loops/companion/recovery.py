"""Everything a keeper must know to go on with a session, read back from the store: nothing of it lives in memory only."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.companion.line import ChatLine
from talekeeper.loops.companion.actions import actions_of
from talekeeper.loops.companion.hearing import Flagged, flags_of, lines_of
from talekeeper.loops.companion.session import Session
from talekeeper.loops.companion.speaking import HEARTHKEEPER, POSTED, DecisionMade, decisions_of, last_prompt, own_lines
from talekeeper.loops.companion.viewers import known_viewers

MOST_LINES = 2000


class Recovered(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    lines: tuple[tuple[ChatLine, Flagged | None], ...] = ()
    known: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    last_prompt_at: float | None = None
    last_decision: DecisionMade | None = None
    unanswered: int = 0
    """Prompts since somebody last wrote."""


def recovered(conn: Connection, session: Session, silent: frozenset[str] = frozenset()) -> Recovered:
    """`silent` names are not people."""
    flags = flags_of(conn, session)
    lines = tuple((line, flags.get(line.id)) for line in lines_of(conn, session, MOST_LINES))
    people = (line.at for line, flag in lines if flag is None and not line.bot and line.name not in silent)
    last = max(people, default=session.started_at)
    prompts = actions_of(conn, session.id, ("response",), 20, states=POSTED)
    prompt = last_prompt(conn, session)
    decisions = decisions_of(conn, session, limit=1)
    return Recovered(
        session=session,
        lines=lines,
        known=tuple(known_viewers(conn, session.world)),
        own=tuple(own_lines(conn, session)),
        last_prompt_at=prompt.at if prompt else None,
        last_decision=decisions[0] if decisions else None,
        unanswered=sum(1 for one in prompts if one.mode == HEARTHKEEPER and one.at > last),
    )
