"""Where timelines are kept: SQLite by default, Postgres when grown, one code path."""

from talekeeper.timeline.store.store import Store

__all__ = ["Store"]
