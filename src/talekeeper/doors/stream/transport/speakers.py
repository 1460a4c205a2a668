"""Who in a chat is no person: well-known services, whoever wears the bot badge, and the companion itself."""

from __future__ import annotations

from collections.abc import Collection

from talekeeper.agents.companion.bots import KNOWN_BOTS

BOT_BADGES = frozenset({"bot", "bot-badge"})


def is_bot(name: str, badges: Collection[str], own: str) -> bool:
    return name == own or name in KNOWN_BOTS or not BOT_BADGES.isdisjoint(badges)
