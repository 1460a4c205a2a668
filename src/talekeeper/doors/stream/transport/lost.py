"""A connection that ended; the transport makes another."""

from __future__ import annotations


class Lost(Exception):
    """Never leaves a transport: it becomes `last_error`."""
