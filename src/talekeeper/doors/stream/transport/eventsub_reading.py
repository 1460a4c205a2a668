"""What EventSub says: its frames, and the events in them that matter to the companion."""

from __future__ import annotations

from datetime import datetime

import msgspec

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream.transport.irc_reading import shown
from talekeeper.doors.stream.transport.port import (
    Heard,
    LineHeard,
    LineRemoved,
    TitleChanged,
    WentLive,
    WentOffline,
)
from talekeeper.doors.stream.transport.speakers import is_bot
from talekeeper.observe.clock import Clock

CHAT = "channel.chat.message"
SUBSCRIPTIONS = (
    (CHAT, "1"), ("channel.chat.message_delete", "1"), ("channel.chat.clear_user_messages", "1"), ("channel.chat.clear", "1"),
    ("stream.online", "1"), ("stream.offline", "1"), ("channel.update", "2"),
)  # fmt: skip
"""Types and versions; the chat's need the scope user:read:chat of the bot, the others none."""

_ACTION = "\x01ACTION"


class Metadata(msgspec.Struct):
    message_type: str
    message_id: str = ""


class Session(msgspec.Struct):
    id: str
    keepalive_timeout_seconds: float | None = None
    reconnect_url: str | None = None


class Subscription(msgspec.Struct):
    type: str
    status: str = ""


class Payload(msgspec.Struct):
    session: Session | None = None
    subscription: Subscription | None = None
    event: msgspec.Raw = msgspec.Raw(b"{}")


class Frame(msgspec.Struct):
    metadata: Metadata
    payload: Payload


class _Text(msgspec.Struct):
    text: str


class _Badge(msgspec.Struct):
    set_id: str


class _Reply(msgspec.Struct):
    parent_message_id: str


class _Said(msgspec.Struct):
    chatter_user_login: str
    message_id: str
    message: _Text
    chatter_user_name: str = ""
    badges: list[_Badge] = []
    reply: _Reply | None = None
    source_broadcaster_user_login: str | None = None


class _Deleted(msgspec.Struct):
    message_id: str


class _Cleared(msgspec.Struct):
    target_user_login: str


class _Online(msgspec.Struct):
    started_at: datetime


class _Update(msgspec.Struct):
    title: str
    category_name: str = ""


_frame = msgspec.json.Decoder(Frame)
_said = msgspec.json.Decoder(_Said)


def parse_frame(text: str | bytes) -> Frame | None:
    """None for what is no frame."""
    try:
        return _frame.decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return None


class EventSubReading:
    def __init__(self, channel: str, bot: str, clock: Clock) -> None:
        self._channel = channel
        self._bot = bot
        self._clock = clock

    def read(self, payload: Payload) -> Heard | None:
        """None for an event that does not concern us, or cannot be read."""
        try:
            return self._read(payload.subscription.type if payload.subscription else "", payload.event)
        except (msgspec.DecodeError, UnicodeError):
            return None

    def _read(self, kind: str, event: msgspec.Raw) -> Heard | None:
        match kind:
            case "channel.chat.message":
                return LineHeard(self._line(_said.decode(event)))
            case "channel.chat.message_delete":
                return LineRemoved(message=msgspec.json.decode(event, type=_Deleted).message_id)
            case "channel.chat.clear_user_messages":
                return LineRemoved(name=msgspec.json.decode(event, type=_Cleared).target_user_login.lower())
            case "channel.chat.clear":
                return LineRemoved()
            case "stream.online":
                started = msgspec.json.decode(event, type=_Online).started_at.timestamp()
                return WentLive(at=min(started, self._clock()))
            case "stream.offline":
                return WentOffline(at=self._clock())
            case "channel.update":
                update = msgspec.json.decode(event, type=_Update)
                return TitleChanged(shown(update.title), shown(update.category_name))
        return None

    def _line(self, said: _Said) -> ChatLine:
        text = said.message.text
        action = text.startswith(_ACTION)
        if action:
            text = text.removeprefix(_ACTION).rstrip("\x01")
        name, badges = said.chatter_user_login.lower(), tuple(badge.set_id for badge in said.badges)
        source = (said.source_broadcaster_user_login or "").lower()
        return ChatLine(
            id=said.message_id, name=name, text=shown(text), at=self._clock(), display=shown(said.chatter_user_name),
            badges=badges, channel=self._channel, source_channel=source if source != self._channel else "",
            reply_to=said.reply.parent_message_id if said.reply else "", action=action,
            bot=is_bot(name, badges, self._bot),
        )  # fmt: skip
