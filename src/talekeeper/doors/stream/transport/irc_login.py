"""Coming in: capabilities, password, name, and the channel's door."""

from __future__ import annotations

from collections.abc import Callable

from talekeeper.doors.stream.transport.irc_message import IrcMessage, compose
from talekeeper.doors.stream.transport.irc_refusals import credentials_refused, join_refused
from talekeeper.doors.stream.transport.lost import Lost
from talekeeper.doors.stream.transport.port import BadCredentials

WANTED = ("twitch.tv/tags", "twitch.tv/commands", "message-tags")
_MOST_NAMES = 5


class IrcLogin:
    """`done` once we are in the channel; `twitch` when the server answers each line as Twitch's do.

    Twitch answers the joining itself as it answers a line: that answer is waited for, or the first line would take it
    for its own.
    """

    def __init__(self, nick: str, password: str, channel: str, write: Callable[[str], None]) -> None:
        self.nick = nick
        self.twitch = False
        self._password = password
        self._channel = channel
        self._write = write
        self._offered: set[str] = set()
        self._welcomed = False
        self._joined = False
        self._answered = False
        self._names_taken = 0

    @property
    def done(self) -> bool:
        return self._joined and (self._answered or not self.twitch)

    @property
    def missing(self) -> str:
        """What the server has not said yet."""
        if not self._welcomed:
            return "It said no welcome."
        return f"It never opened {self._channel}: is there such a channel?"

    def begin(self) -> None:
        self._write(compose("CAP", "LS", "302"))
        if self._password:
            self._write(compose("PASS", self._password))
        self._write(compose("NICK", self.nick))
        self._write(compose("USER", self.nick, "0", "*", self.nick))

    def take(self, message: IrcMessage) -> bool:
        """Whether that was the last word of it."""
        if not self._welcomed and (said := credentials_refused(message)):
            raise BadCredentials(
                f"The chat server refused the name or the token: {said}.",
                "Give the companion a fresh TWITCH_ACCESS_TOKEN for TWITCH_BOT_USERNAME, then start it again.",
            )
        if self._welcomed and (said := join_refused(message)):
            raise Lost(f"{self._channel} is closed to us: {said}")
        match message.command:
            case "CAP":
                self._capabilities(message)
            case "433" | "436" if not self._welcomed:
                self._another_name()
            case "001":
                self._welcomed = True
                self.nick = message.param(0).lower() or self.nick
                self._write(compose("JOIN", self._channel))
            case "366" if message.param(1).lower() == self._channel:
                self._joined = True
            case "USERSTATE" if message.param(0).lower() == self._channel:
                self._answered = True
            case "ERROR":
                raise Lost(f"The server said: {message.last}")
        return self.done

    def _capabilities(self, message: IrcMessage) -> None:
        kind = message.param(1).upper()
        if kind == "LS":
            self._offered |= {name.partition("=")[0] for name in message.last.split()}
            if message.param(2) == "*" and len(message.params) > 3:
                return
            wanted = [name for name in WANTED if name in self._offered]
            self._write(compose("CAP", "REQ", " ".join(wanted)) if wanted else compose("CAP", "END"))
        elif kind in {"ACK", "NAK"}:
            self.twitch = kind == "ACK" and "twitch.tv/commands" in message.last
            self._write(compose("CAP", "END"))

    def _another_name(self) -> None:
        self._names_taken += 1
        if self._names_taken > _MOST_NAMES:
            raise Lost(f"The name {self.nick} is taken.")
        self.nick += "_"
        self._write(compose("NICK", self.nick))
