"""SQLite: one file, WAL, one writer. `synchronous=FULL` by default: a power cut loses nothing acknowledged."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Engine, create_engine, event

from talekeeper.timeline.store.store import Store

Synchronous = Literal["FULL", "NORMAL"]


def open_sqlite(path: Path, *, synchronous: Synchronous = "FULL") -> Store:
    writing = _engine(path, f"synchronous = {synchronous}")
    reading = _engine(path, "query_only = ON")
    return Store(writing, reading, writers=1, readers=4, begin=("BEGIN IMMEDIATE", "BEGIN"))


def _engine(path: Path, pragma: str) -> Engine:
    engine = create_engine(
        f"sqlite+pysqlite:///{path}",
        connect_args={"isolation_level": None},  # BEGIN is the store's
    )

    @event.listens_for(engine, "connect")
    def _pragmas(connection: Any, _record: Any) -> None:
        cursor = connection.cursor()
        for setting in (
            "busy_timeout = 10000",
            "journal_mode = WAL",
            "foreign_keys = ON",
            "cache_size = -32768",
            "temp_store = MEMORY",
            pragma,
        ):
            cursor.execute(f"PRAGMA {setting}")
        cursor.close()

    return engine
