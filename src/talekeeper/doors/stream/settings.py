"""What the companion is told once, at the start."""

from __future__ import annotations

from pathlib import Path

import msgspec

from talekeeper.agents.companion.policy import Thresholds


class CompanionSettings(msgspec.Struct, frozen=True, kw_only=True):
    ledgers: Path
    admin_key: str = ""
    """Empty: the admin API is shut."""
    channel: str = ""
    bot: str = "sanctum_chronicler"
    operator: str = ""
    bots: frozenset[str] = frozenset()
    thresholds: Thresholds = Thresholds()
    interval: float = 60.0
    require_live: bool = True
    offline_test: bool = False
    """Set for good by the environment."""
    offline_test_seconds: float = 3600.0
    offline_grace: float = 600.0
    approval: bool = False
    """Its own observations wait for the operator."""
    second_reader: bool = False
    """The model, where there is one, reads free lines once more before they leave."""
    moderator: bool = False
    ledger_name: str = "Sanctum"
    discord_webhook: str = ""

    @property
    def silent_names(self) -> frozenset[str]:
        """Who writes in the chat and is nobody."""
        return self.bots | {self.bot}
