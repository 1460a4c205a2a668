"""What the companion shows to be let in, and where Twitch's doors are."""

from __future__ import annotations

import msgspec

from talekeeper.doors.stream.transport.port import BadCredentials


class TwitchKeys(msgspec.Struct, frozen=True):
    """The app's id and secret, and the bot's own token."""

    client_id: str = ""
    client_secret: str = ""
    access_token: str = ""

    def __repr__(self) -> str:
        return "TwitchKeys(...)"  # so that no log shows them


class TwitchAddresses(msgspec.Struct, frozen=True):
    helix: str = "https://api.twitch.tv/helix/"
    auth: str = "https://id.twitch.tv/oauth2/"
    eventsub: str = "wss://eventsub.wss.twitch.tv/ws"


TWITCH = TwitchAddresses()


class UnfitToken(BadCredentials):
    """The token is good, but not for EventSub; over IRC it may do."""

    code = "unfit_token"


class MissingScope(UnfitToken):
    code = "missing_scope"

    def __init__(self, scope: str) -> None:
        super().__init__(
            f"The companion's token lacks the scope {scope}.",
            f"Authorise the bot account again with {scope}, and put the new token into TWITCH_ACCESS_TOKEN.",
        )


class OtherApp(UnfitToken):
    code = "other_app"

    def __init__(self) -> None:
        super().__init__(
            "The companion's token was made for another app.",
            "TWITCH_ACCESS_TOKEN must come from the app whose TWITCH_CLIENT_ID is set.",
        )
