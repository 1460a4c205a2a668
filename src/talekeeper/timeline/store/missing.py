"""Inserting only what is not there yet, in the words both databases share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table, TextClause, text


def insert_missing(conn: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        conn.execute(_statement(table), rows)


@cache
def _statement(table: Table) -> TextClause:
    names = [column.name for column in table.columns]
    return text(
        f"insert into {table.name} ({', '.join(names)}) values ({', '.join(f':{n}' for n in names)}) on conflict do nothing"
    )
