"""A session's dashboard, kept with it; the theme follows from it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from sqlalchemy import Connection

from talekeeper.agents.companion.dashboard import Dashboard, merge, theme_of
from talekeeper.loops.companion.session import Session, change, get_session
from talekeeper.loops.scene.work import Services

_read = msgspec.json.Decoder(Dashboard)


def read(session: Session) -> Dashboard | None:
    return _read.decode(session.dashboard) if session.dashboard else None


class Saving(msgspec.Struct, frozen=True):
    session: str
    given: Mapping[str, object]


def save(conn: Connection, services: Services, saving: Saving) -> Session:
    """Read and written in one transaction: of two who save at once, neither undoes the other."""
    session = get_session(conn, saving.session)
    made = merge(read(session), saving.given, services.clock())
    change(conn, session.id, dashboard=msgspec.json.encode(made).decode(), theme=theme_of(made))
    return get_session(conn, session.id)
