"""Database errors, translated into what a person can do about them."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from talekeeper.errors import Damaged, StoreDown, TalekeeperError

_MEANINGS: tuple[tuple[str, type[TalekeeperError], str, str], ...] = (
    ("full", StoreDown, "The disk is full: nothing was written.", "Free some space and try again; nothing was lost."),
    ("readonly", StoreDown, "The data folder cannot be written.", "Check its permissions, or set TALEKEEPER_HOME elsewhere."),
    ("read-only", StoreDown, "The database is read-only.", "Check its permissions, or set TALEKEEPER_HOME elsewhere."),
    ("unable to open", StoreDown, "The database cannot be opened.", "Check that TALEKEEPER_HOME exists and is yours."),
    ("locked", StoreDown, "Another program holds the database.", "Close the other Talekeeper, or try again in a moment."),
    ("disk i/o", StoreDown, "The disk did not answer.", "Check the disk; what was acknowledged is safe on it."),
    ("malformed", Damaged, "The database file is damaged.", "Restore it from a backup or from a world export."),
    ("not a database", Damaged, "This file is not a Talekeeper database.", "Move it away, or set TALEKEEPER_HOME elsewhere."),
)  # fmt: skip


def translate(error: DBAPIError | sqlite3.Error) -> TalekeeperError:
    original = error.orig if isinstance(error, DBAPIError) else error
    said = str(original).lower()
    for sign, kind, message, hint in _MEANINGS:
        if sign in said:
            return kind(message, hint)
    return StoreDown(f"The database refused: {original}.", "Run `talekeeper doctor` to see whether it can be reached.")
