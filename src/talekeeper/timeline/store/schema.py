"""Bringing a database to the schema this code knows. Alembic is imported only when there is something to do."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from talekeeper.errors import NewerDatabase
from talekeeper.timeline.store.metadata import REVISION, metadata
from talekeeper.timeline.store.store import Store

_LOCK = 7_403_117  # one migration at a time among several starting processes
_MIGRATIONS = Path(__file__).parent / "migrations"


def stored_revision(conn: Connection) -> str | None:
    if not inspect(conn).has_table("alembic_version"):
        return None
    return conn.execute(text("select version_num from alembic_version")).scalar_one_or_none()


def prepare(store: Store) -> None:
    """Every module that declares tables has been imported by the caller."""
    if store.read_now(stored_revision) != REVISION:
        store.write_now(_migrate)


def _migrate(conn: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - slow to import, rarely needed
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    if conn.dialect.name == "postgresql":
        conn.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    current = stored_revision(conn)
    if current == REVISION:
        return
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.attributes.update(connection=conn, metadata=metadata)
    if current is not None and current not in {
        r.revision for r in ScriptDirectory.from_config(config).walk_revisions()
    }:
        raise NewerDatabase(
            f"This database was written by a newer Talekeeper (schema {current}; this one knows {REVISION}).",
            "Upgrade Talekeeper, or set TALEKEEPER_HOME to another folder. Nothing was changed.",
        )
    command.upgrade(config, "head")
