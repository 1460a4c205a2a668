"""Units of work on the store's own threads: a whole transaction is one synchronous function of a connection.

One writer thread and four readers on SQLite; eight of each kind share a pool on Postgres.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from talekeeper.timeline.store.faults import translate

T = TypeVar("T")
Work = Callable[[Connection], T]


class Store:
    def __init__(
        self, writing: Engine, reading: Engine, *, writers: int, readers: int, begin: tuple[str, str] = ("", "")
    ) -> None:
        """`begin`: how a transaction is begun in each lane, where the driver does not do it by itself."""
        self.engine = writing
        self._engines = (writing, reading)
        self._lanes = (
            _Lane(writing, writers, "store-write", begin[0]),
            _Lane(reading, readers, "store-read", begin[1]),
        )
        self.dialect = writing.dialect.name

    async def write(self, work: Work[T]) -> T:
        """Run `work` in a transaction; it is durable when this returns, and undone if it raises."""
        return await _await(self._lanes[0].submit(work))

    async def read(self, work: Work[T]) -> T:
        return await _await(self._lanes[1].submit(work))

    def write_now(self, work: Work[T]) -> T:
        """The same, for callers without an event loop."""
        return self._lanes[0].submit(work).result()

    def read_now(self, work: Work[T]) -> T:
        return self._lanes[1].submit(work).result()

    def close(self) -> None:
        for lane in self._lanes:
            lane.close()
        # Only now: the lanes may share one pool, and a connection given back to a disposed pool is never closed.
        for engine in self._engines:
            engine.dispose()


async def _await(future: Future[T]) -> T:
    # A cancelled caller must not abandon a transaction half-way: the work runs to its end on its own thread.
    return await asyncio.wrap_future(future)


class _Lane:
    """Threads with one open connection each."""

    def __init__(self, engine: Engine, threads: int, name: str, begin: str) -> None:
        self._engine = engine
        self._begin = begin
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._mine = threading.local()
        self._open: list[Connection] = []
        self._lost = 0

    def submit(self, work: Work[T]) -> Future[T]:
        return self._pool.submit(self._run, work)

    def _run(self, work: Work[T]) -> T:
        try:
            connection = self._connection()
            try:
                with connection.begin():
                    if self._begin:
                        # Not by an event of the engine: one listener makes every statement ask for listeners.
                        connection.exec_driver_sql(self._begin)
                    return work(connection)
            except BaseException:
                # Whatever was kept in mind on this connection may come from work that is now undone.
                connection.info.clear()
                raise
        except DBAPIError as error:
            if error.connection_invalidated:
                self._lost += 1
            raise translate(error) from error
        except sqlite3.Error as error:
            raise translate(error) from error

    def _connection(self) -> Connection:
        """This thread's own; made anew when any thread has found the database gone, for then it is gone for all."""
        mine = self._mine
        connection: Connection | None = getattr(mine, "connection", None)
        if connection is not None and mine.lost == self._lost:
            return connection
        if connection is not None:
            mine.connection = None
            self._open.remove(connection)
            connection.invalidate()
            connection.close()
        mine.lost = self._lost
        mine.connection = connection = self._engine.connect()
        self._open.append(connection)
        return connection

    def close(self) -> None:
        self._pool.shutdown(wait=True)
        for connection in self._open:
            connection.close()
        self._open.clear()
