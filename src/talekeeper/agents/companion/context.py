"""What the companion may read when it writes a line: the stream as people see it, never a flagged or removed word."""

from __future__ import annotations

import hashlib

import msgspec

from talekeeper.agents.companion.dashboard import Dashboard
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.guard import suspicions

BOT = "sanctum_chronicler"


class StreamContext(msgspec.Struct, frozen=True, kw_only=True):
    channel: str
    bot: str = BOT
    operator: str = ""
    """Who runs it, by name; the broadcaster where nobody said."""
    theme: str = ""
    dashboard: Dashboard | None = None
    title: str = ""
    game: str = ""
    recent: tuple[ChatLine, ...] = ()
    """People's own lines, unflagged, oldest first."""
    own: tuple[str, ...] = ()
    """What it said itself, oldest first."""
    memories: tuple[str, ...] = ()
    """Of earlier streams, the nearest first."""
    now: float = 0.0

    @property
    def run_by(self) -> str:
        return self.operator or self.channel

    @property
    def readable(self) -> tuple[ChatLine, ...]:
        """The lines that may stand in a prompt or be quoted: those that talk to a machine instead of people may not."""
        return tuple(line for line in self.recent if not suspicions(line.text))


def context_hash(context: StreamContext) -> str:
    """One name for everything that was known, the hour aside: for the audit, and to choose without dice."""
    known = msgspec.json.encode(msgspec.structs.replace(context, now=0.0))
    return hashlib.blake2b(known, digest_size=12).hexdigest()
