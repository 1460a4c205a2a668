"""Everything a keeper must know to go on with a session, read back from the store: nothing of it lives in memory only."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.companion.line import ChatLine
from talekeeper.loops.companion.hearing import Flagged, flags_of, lines_of
from talekeeper.loops.companion.session import Session
from talekeeper.loops.companion.speaking import DecisionMade, decisions_of, last_prompt, own_lines
from talekeeper.loops.companion.viewers import known_viewers

MOST_LINES = 2000


class Recovered(msgspec.Struct, frozen=True, kw_only=True):
    session: Session
    lines: tuple[tuple[ChatLine, Flagged | None], ...] = ()
    known: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    last_prompt_at: float | None = None
    last_decision: DecisionMade | None = None


def recovered(conn: Connection, session: Session) -> Recovered:
    flags = flags_of(conn, session)
    prompt = last_prompt(conn, session)
    decisions = decisions_of(conn, session, limit=1)
    return Recovered(
        session=session,
        lines=tuple((line, flags.get(line.id)) for line in lines_of(conn, session, MOST_LINES)),
        known=tuple(known_viewers(conn, session.world)),
        own=tuple(own_lines(conn, session)),
        last_prompt_at=prompt.at if prompt else None,
        last_decision=decisions[0] if decisions else None,
    )
