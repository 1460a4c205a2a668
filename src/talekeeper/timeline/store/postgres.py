"""Postgres by psycopg 3: the same code, eight connections a lane."""

from __future__ import annotations

from sqlalchemy import create_engine

from talekeeper.errors import NotConfigured
from talekeeper.timeline.store.store import Store


def open_postgres(url: str) -> Store:
    try:
        import psycopg  # noqa: F401, PLC0415 - an optional extra
    except ImportError as error:
        raise NotConfigured(
            "DATABASE_URL names Postgres, but its driver is not installed.", "pip install 'talekeeper[postgres]'"
        ) from error
    engine = create_engine(normal_url(url), pool_size=16, max_overflow=4, pool_pre_ping=False)
    # A read is many statements and must see one moment, as it does on SQLite.
    reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return Store(engine, reading, writers=8, readers=8)


def normal_url(url: str) -> str:
    """`postgresql://`, `postgres://`, `postgresql+asyncpg://` and `postgresql+psycopg://` all mean the same here."""
    _, _, rest = url.partition("://")
    return f"postgresql+psycopg://{rest}"
