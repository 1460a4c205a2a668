"""The one MetaData all tables register on; each table sits beside its concept."""

from __future__ import annotations

from sqlalchemy import MetaData

from talekeeper.timeline.store.statistics import tell_spread

metadata = MetaData()
tell_spread(metadata)

REVISION = "0001"
"""The schema this code reads and writes. One revision, edited in place until 0.1.0."""
