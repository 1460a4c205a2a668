"""How rows are spread in a large world, told to SQLite once: it keeps no statistics by itself and would guess.

Guessing, it walks a whole timeline to find one running turn, and a whole world to find the events of one. A line is an
index, the rows of its table, and how many share the first column, the first two, and so on.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, MetaData, event

_SPREAD = {
    "event": {
        "event": "1000000 250000 50000 1",
        "event_kind": "1000000 250000 50000 5000 1",
        "event_idem": "200000 50000 10000 1",
        "event_turn": "900000 250000 8",
    },
    "turn": {
        "sqlite_autoindex_turn_1": "120000 30000 1",
        "turn_number": "120000 30000 6000 1",
        "turn_end": "120000 30000 6000 1",
        "turn_running": "8 4 2 1",
        "turn_unfinished": "8 4",
        "turn_idem": "100000 25000 1",
    },
    "lineage": {"sqlite_autoindex_lineage_1": "2000 500 4 1"},
    "timeline": {"sqlite_autoindex_timeline_1": "500 100 1"},
    "snapshot": {"sqlite_autoindex_snapshot_1": "120000 30000 6000 1"},
    "recap": {"sqlite_autoindex_recap_1": "120000 30000 6000 1"},
    "told_line": {"told_line": "40000 10000 2000 1"},
    "outbox": {
        "sqlite_autoindex_outbox_1": "120000 120000 120000 30000 6000 1",
        "outbox_due": "8 2",
        "outbox_parked": "8 8",
    },
    "fact": {"fact": "300000 75000 300 60 30 10 1", "fact_seq": "300000 75000 15000 2"},
    "fact_key": {"fact_key": "20000 5000 20 4 1", "fact_key_pred": "20000 5000 150 10"},
    "fact_link": {"fact_link": "10000 2500 10 5 1"},
    "episode": {"episode_event": "400000 100000 20000 1"},
}  # fmt: skip


def tell_spread(metadata: MetaData) -> None:
    """Whenever the tables are created on SQLite, their spread is written beside them."""
    event.listen(metadata, "after_create", _write)


def _write(_metadata: MetaData, connection: Connection, tables: Any = None, **_: Any) -> None:
    if connection.dialect.name != "sqlite":
        return
    made = {table.name for table in tables or ()}
    connection.exec_driver_sql("ANALYZE sqlite_schema")
    for table, indexes in _SPREAD.items():
        if table in made:
            connection.exec_driver_sql("DELETE FROM sqlite_stat1 WHERE tbl = ?", (table,))
            for index, spread in indexes.items():
                connection.exec_driver_sql("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", (table, index, spread))
    connection.exec_driver_sql("ANALYZE sqlite_schema")
