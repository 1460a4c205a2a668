"""One line of a live chat, as every mind of the companion reads it."""

import msgspec

TRUSTED = frozenset({"broadcaster", "moderator", "vip"})
MODERATORS = frozenset({"broadcaster", "moderator"})


class ChatLine(msgspec.Struct, frozen=True):
    """What somebody wrote: `name` is the login in lower case, `at` unix seconds."""

    id: str
    name: str
    text: str
    at: float
    display: str = ""
    badges: tuple[str, ...] = ()
    channel: str = ""
    source_channel: str = ""
    reply_to: str = ""
    action: bool = False
    bot: bool = False

    @property
    def trusted(self) -> bool:
        """Broadcaster, moderator or VIP: the Warden does not read them."""
        return not TRUSTED.isdisjoint(self.badges)

    @property
    def moderator(self) -> bool:
        """May hush the companion."""
        return not MODERATORS.isdisjoint(self.badges)

    @property
    def foreign(self) -> bool:
        """Shared chat from another channel: seen here, said elsewhere."""
        return bool(self.source_channel) and self.source_channel != self.channel

    @property
    def speaker(self) -> str:
        """The name people see."""
        return self.display or self.name
