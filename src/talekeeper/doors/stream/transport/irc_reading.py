"""What an IRC message says to the companion."""

from __future__ import annotations

import re

from talekeeper.agents.companion.line import ChatLine
from talekeeper.doors.stream.transport.irc_message import IrcMessage
from talekeeper.doors.stream.transport.port import LineHeard, LineRemoved
from talekeeper.doors.stream.transport.speakers import is_bot
from talekeeper.observe.clock import Clock
from talekeeper.observe.ids import NewId

_ACTION = "\x01ACTION"
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]")


class IrcReading:
    """Reads messages of one channel; `operators` are those a plain server calls so."""

    def __init__(self, channel: str, bot: str, clock: Clock, new_id: NewId) -> None:
        self._channel = channel
        self.bot = bot
        """Our own name, as the server has it."""
        self._clock = clock
        self._new_id = new_id
        self._operators: set[str] = set()

    def read(self, message: IrcMessage) -> LineHeard | LineRemoved | None:
        if message.param(0).lower() != f"#{self._channel}":
            if message.command == "353" and message.param(2).lower() == f"#{self._channel}":
                self._operators |= {name[1:].lower() for name in message.last.split() if name[0] in "@~&"}
            return None
        match message.command:
            case "PRIVMSG":
                return self._said(message, message.nick)
            case "USERNOTICE" if len(message.params) > 1:
                return self._said(message, message.tags.get("login", message.nick))
            case "CLEARMSG":
                gone = message.tags.get("target-msg-id", "")
                return LineRemoved(message=gone) if gone else None
            case "CLEARCHAT":
                return LineRemoved(name=message.param(1).lower())
            case "MODE":
                self._regrade(message.params[1:])
        return None

    def _said(self, message: IrcMessage, name: str) -> LineHeard | None:
        text, tags = message.param(1), message.tags
        action = text.startswith(_ACTION)
        if text.startswith("\x01") and not action:
            return None
        if action:
            text = text.removeprefix(_ACTION).rstrip("\x01")
        name = name.lower()
        if not name:
            return None
        badges = tuple(badge.partition("/")[0] for badge in tags.get("badges", "").split(",") if badge)
        if name in self._operators and "moderator" not in badges:
            badges += ("moderator",)
        source = tags.get("source-room-id", "")
        return LineHeard(
            ChatLine(
                id=tags.get("id") or tags.get("msgid") or self._new_id(), name=name, text=shown(text), at=self._clock(),
                display=shown(tags.get("display-name", "")), badges=badges, channel=self._channel,
                source_channel=source if source and source != tags.get("room-id") else "",
                reply_to=tags.get("reply-parent-msg-id", ""), action=action, bot=is_bot(name, badges, self.bot),
            )
        )  # fmt: skip

    def _regrade(self, params: tuple[str, ...]) -> None:
        """`+o-o ada bo`: who became an operator, and who is none any more."""
        names, sign = iter(params[1:]), "+"
        for letter in params[0] if params else "":
            if letter in "+-":
                sign = letter
            elif letter == "o" and (name := next(names, "").lower()):
                (self._operators.add if sign == "+" else self._operators.discard)(name)
            elif letter in "vhbkqaeI":
                next(names, "")


def shown(text: str) -> str:
    return _CONTROL.sub(" ", text).strip()
