"""The Warden: reads every line and flags what sells or lures. It never bans; people decide."""

from talekeeper.agents.companion.warden.flag import Flag, Severity
from talekeeper.agents.companion.warden.warden import Warden

__all__ = ["Flag", "Severity", "Warden"]
