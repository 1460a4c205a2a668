"""LangGraph's own notes of a running turn, in a file or schema of their own. Scratch: nothing ever reads them to go on."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

_SCHEMA = "talekeeper_checkpoints"


class Checkpoints:
    """`where` is a file for SQLite, or a Postgres address."""

    def __init__(self, where: Path | str) -> None:
        self._where = where
        self._open = AsyncExitStack()
        self._saver: BaseCheckpointSaver[Any] | None = None

    async def saver(self) -> BaseCheckpointSaver[Any]:
        if self._saver is None:
            self._saver = await (
                self._sqlite(self._where) if isinstance(self._where, Path) else self._postgres(self._where)
            )
        return self._saver

    async def _sqlite(self, file: Path) -> BaseCheckpointSaver[Any]:
        from talekeeper.loops.scene.unread_notes import UnreadNotes  # noqa: PLC0415 - 240 modules, 0.3 s

        saver = await self._open.enter_async_context(UnreadNotes.from_conn_string(str(file)))
        await saver.setup()
        await saver.conn.execute("PRAGMA synchronous = NORMAL")
        return saver

    async def _postgres(self, url: str) -> BaseCheckpointSaver[Any]:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver  # noqa: PLC0415 - an optional extra
        from psycopg import AsyncConnection, sql  # noqa: PLC0415
        from psycopg.rows import dict_row  # noqa: PLC0415
        from psycopg_pool import AsyncConnectionPool  # noqa: PLC0415

        async with await AsyncConnection.connect(url, autocommit=True) as connection:
            await connection.execute(sql.SQL("create schema if not exists {}").format(sql.Identifier(_SCHEMA)))
        pool = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=4,
            open=False,
            kwargs={
                "autocommit": True,
                "prepare_threshold": 0,
                "row_factory": dict_row,
                "options": f"-c search_path={_SCHEMA},public",
            },
        )
        await self._open.enter_async_context(pool)
        saver = AsyncPostgresSaver(pool)  # type: ignore[arg-type]  # the pool's row type is a keyword to mypy
        await saver.setup()
        return saver

    async def forget(self, thread: str) -> None:
        """A turn that has ended needs no notes: the file stays as small as the turns in flight."""
        await (await self.saver()).adelete_thread(thread)

    async def close(self) -> None:
        self._saver = None
        await self._open.aclose()
