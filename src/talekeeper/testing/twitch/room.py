"""One channel as the fake Twitch keeps it: who is who, who may what, what was shown, whether it is live."""

from __future__ import annotations

import itertools
from collections import deque
from datetime import UTC, datetime

import msgspec

from talekeeper.observe.clock import Clock, system_clock

DROPS = {
    "msg_banned": "You are permanently banned from talking here.",
    "msg_bad_characters": "Your message had characters that are not allowed.",
    "msg_channel_blocked": "Your account is not in good standing in this channel.",
    "msg_channel_suspended": "This channel does not exist or has been suspended.",
    "msg_duplicate": "Your message is identical to the one before it.",
    "msg_emoteonly": "This room is in emote-only mode.",
    "msg_followersonly": "This room is in followers-only mode.",
    "msg_followersonly_followed": "You have not followed for long enough.",
    "msg_followersonly_zero": "You are not following.",
    "msg_r9k": "Your message is not unique enough.",
    "msg_ratelimit": "You are sending messages too quickly.",
    "msg_rejected": "Your message is being checked by the moderators.",
    "msg_rejected_mandatory": "Your message was not posted: it conflicts with the channel's settings.",
    "msg_requires_verified_phone_number": "A verified phone number is required to chat here.",
    "msg_slowmode": "This room is in slow mode.",
    "msg_subsonly": "This room is in subscribers-only mode.",
    "msg_suspended": "You do not have permission to do that.",
    "msg_timedout": "You are timed out.",
    "msg_verified_email": "A verified e-mail address is required to chat here.",
    "no_permission": "You do not have permission to do that.",
    "tos_ban": "The channel has been closed.",
    "unavailable_command": "That command is not available here.",
    "unrecognized_cmd": "Unrecognised command.",
}
"""The reasons for which Twitch does not show a line, by the id of the notice, in words of our own."""


class Said(msgspec.Struct, frozen=True):
    id: str
    name: str
    text: str
    badges: tuple[str, ...] = ()
    display: str = ""
    reply_to: str = ""
    action: bool = False
    source: str = ""
    """The channel a shared line was said in; empty when it is this one."""

    @property
    def wire_text(self) -> str:
        return f"\x01ACTION {self.text}\x01" if self.action else self.text


class Grant(msgspec.Struct, frozen=True):
    """What a token stands for; an app's has no login."""

    client_id: str
    login: str = ""
    scopes: tuple[str, ...] = ()


class OnAir(msgspec.Struct, frozen=True):
    title: str
    game: str
    since: float
    viewers: int = 7


class Room:
    def __init__(self, channel: str, clock: Clock = system_clock) -> None:
        self.channel = channel
        self.clock = clock
        self.grants: dict[str, Grant] = {}
        self.shown: list[Said] = []
        self.markers: list[str] = []
        self.drops: deque[str] = deque()
        """Reasons for which the next lines of clients are not shown."""
        self.on_air: OnAir | None = None
        self.title, self.game = "Quiet evening", "Myst"
        self._ids: dict[str, str] = {}
        self._numbers = itertools.count(1)
        self.id_of(channel)

    def id_of(self, login: str) -> str:
        return self._ids.setdefault(login, str(1000 + len(self._ids)))

    def login_of(self, user_id: str) -> str:
        return next((login for login, known in self._ids.items() if known == user_id), "")

    def known(self, login: str) -> bool:
        return login in self._ids

    def new_id(self) -> str:
        return f"00000000-0000-4000-8000-{next(self._numbers):012d}"

    def now(self) -> str:
        return moment(self.clock())

    def grant(self, token: str) -> Grant | None:
        return self.grants.get(token)


def moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
