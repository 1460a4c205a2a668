"""Questions that every turn asks: on SQLite they go straight to the driver.

A turn asks some thirty of them, and the way through the toolkit costs five times what the answer does. They only read,
so there is nothing the toolkit would have to keep track of; Postgres is asked through it all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Select, TextClause, TextualSelect

Row = Sequence[Any]


class Question:
    """A statement without expanding parameters. Its rows are plain tuples, in the order of its columns."""

    def __init__(self, statement: Select[Any] | TextualSelect | TextClause) -> None:
        self._statement = statement
        self._plain: tuple[str, tuple[str, ...], Mapping[str, Any]] | None = None

    def ask(self, conn: Connection, values: Mapping[str, Any]) -> Sequence[Row]:
        if conn.dialect.name != "sqlite":
            return conn.execute(self._statement, values).all()
        sql, names, fixed = self._plain or self._compile(conn)
        driver: Any = conn.connection.driver_connection
        rows: Sequence[Row] = driver.execute(sql, [values[n] if n in values else fixed[n] for n in names]).fetchall()
        return rows

    def one(self, conn: Connection, values: Mapping[str, Any]) -> Any:
        """The first column of the first row, None where there is none."""
        rows = self.ask(conn, values)
        return rows[0][0] if rows else None

    def _compile(self, conn: Connection) -> tuple[str, tuple[str, ...], Mapping[str, Any]]:
        compiled = self._statement.compile(dialect=conn.dialect)
        self._plain = (str(compiled), tuple(compiled.positiontup or ()), compiled.params)
        return self._plain
