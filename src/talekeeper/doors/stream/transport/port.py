"""The port every chat transport fills: what is heard, what is sent, and how a send can end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.errors import Conflict, Unauthorized, Unavailable


class LineHeard(msgspec.Struct, frozen=True):
    line: ChatLine


class LineRemoved(msgspec.Struct, frozen=True):
    """A moderator took words back: one message, everything of one name, or (both empty) the whole chat."""

    message: str = ""
    name: str = ""


class WentLive(msgspec.Struct, frozen=True):
    at: float
    title: str = ""
    game: str = ""


class WentOffline(msgspec.Struct, frozen=True):
    at: float


class TitleChanged(msgspec.Struct, frozen=True):
    title: str
    game: str = ""


Heard = LineHeard | LineRemoved | WentLive | WentOffline | TitleChanged

Hearing = Callable[[Heard], Awaitable[None]]


class Sent(msgspec.Struct, frozen=True):
    """`message_id` is empty where the server gives none to the sender (plain IRC)."""

    message_id: str = ""


class TransportState(msgspec.Struct):
    """What an operator may see of a transport; never a token."""

    configured: bool = False
    running: bool = False
    connected: bool = False
    last_error: str = ""
    moderator: bool = False
    """Whether the chat counts us among its moderators, who may say more."""


class BadCredentials(Unauthorized):
    """The server refused the token or the name: trying again would not help."""

    code = "bad_credentials"


class Dropped(Conflict):
    """The server answered that it did not show the line; `reason` is its word for why."""

    code = "line_dropped"

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or f"The chat did not show the line: {reason}.", "It counts as not said.")
        self.reason = reason


class SendFailed(Unavailable):
    """The line certainly did not leave, and may be tried again."""

    code = "send_failed"


class SendUnknown(Unavailable):
    """The connection broke between sending and the answer: the line may or may not have been shown."""

    code = "send_unknown"
    retryable = False


class ChatTransport(Protocol):
    @property
    def state(self) -> TransportState: ...

    async def run(self, heard: Hearing) -> None:
        """Connects, and again with growing pauses, until stopped; raises `BadCredentials` when told so."""

    async def send(self, text: str, reply_to: str = "") -> Sent:
        """Raises `Dropped`, `SendFailed` (it did not leave) or `SendUnknown` (nobody can tell)."""

    async def stop(self) -> None:
        """Ends `run`; safe to call at any time, and twice."""
