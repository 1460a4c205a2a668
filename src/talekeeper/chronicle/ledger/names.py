"""What a ledger's files are called."""

from __future__ import annotations

import re

from ..book import dates
from .record import LedgerRecord

_UNSAFE = re.compile(r"[^A-Za-z0-9-]")


def stem(record: LedgerRecord) -> str:
    return f"ledger_{dates.iso_day(record.started)}_{_UNSAFE.sub('-', record.session_id[:8]) or 'session'}"


def file_name(record: LedgerRecord) -> str:
    return f"{stem(record)}.md"


def picture_name(record: LedgerRecord) -> str:
    return f"{stem(record)}_pulse.svg"
