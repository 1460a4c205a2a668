"""Which transport a configuration means."""

from __future__ import annotations

from typing import Literal

import msgspec
import structlog

from talekeeper.doors.stream.transport.credentials import TwitchAddresses, TwitchKeys, UnfitToken
from talekeeper.doors.stream.transport.eventsub import EventSubTransport
from talekeeper.doors.stream.transport.helix import Helix
from talekeeper.doors.stream.transport.irc import IrcServer, IrcTransport
from talekeeper.doors.stream.transport.port import ChatTransport, Dropped, Hearing, Sent, TransportState
from talekeeper.doors.stream.transport.web import extra_installed
from talekeeper.errors import NotConfigured
from talekeeper.observe.clock import Clock, system_clock

log = structlog.get_logger("talekeeper.stream")

Kind = Literal["auto", "eventsub", "irc"]


class Wires(msgspec.Struct, frozen=True):
    """How the companion reaches its channel."""

    channel: str
    bot: str = "sanctum_chronicler"
    kind: Kind = "auto"
    keys: TwitchKeys = TwitchKeys()
    addresses: TwitchAddresses = TwitchAddresses()
    irc: IrcServer = IrcServer()
    irc_password: str | None = None
    """For a server that is not Twitch's; None is the access token, as Twitch wants it."""


def channel_name(given: str) -> str:
    return given.strip().lstrip("#").strip().lower()


def wires_token(given: str) -> str:
    """An access token, with or without `oauth:` in front."""
    return given.strip().removeprefix("oauth:")


def choose_transport(wires: Wires, clock: Clock = system_clock) -> ChatTransport:
    """`auto` is EventSub when its keys are there, else IRC with the access token, else nothing that ever connects."""
    keys = wires.keys
    complete = bool(keys.client_id and keys.client_secret and keys.access_token)
    if wires.kind == "eventsub":
        if not complete:
            raise NotConfigured(
                "EventSub needs an app and the bot's token.",
                "Set TWITCH_CLIENT_ID, TWITCH_CLIENT_SECRET and TWITCH_ACCESS_TOKEN, or TWITCH_TRANSPORT=irc.",
            )
        if not extra_installed():
            raise NotConfigured("EventSub needs the extra `stream`.", "Install talekeeper[stream].")
    if not wires.channel or not (keys.access_token or wires.irc_password is not None):
        return NoTransport()
    if wires.kind == "irc" or not (complete and extra_installed()):
        return _irc(wires, clock)
    helix = Helix(keys, wires.addresses)
    eventsub = EventSubTransport(wires.channel, helix, wires.addresses.eventsub, bot=wires.bot, clock=clock)
    return eventsub if wires.kind == "eventsub" else EventSubElseIrc(eventsub, _irc(wires, clock))


def choose_helix(wires: Wires) -> Helix | None:
    """None when there is nothing to ask Twitch's API with."""
    keys = wires.keys
    enough = keys.client_id and (keys.client_secret or keys.access_token)
    return Helix(keys, wires.addresses) if enough and extra_installed() else None


def _irc(wires: Wires, clock: Clock) -> IrcTransport:
    password = wires.irc_password
    if password is None:
        password = f"oauth:{wires.keys.access_token}"
    return IrcTransport(wires.channel, wires.bot, password, server=wires.irc, clock=clock)


class EventSubElseIrc:
    """Tokens made for IRC, or by another app, are unfit for EventSub: such a configuration goes on working over IRC."""

    def __init__(self, eventsub: EventSubTransport, irc: IrcTransport) -> None:
        self._now: ChatTransport = eventsub
        self._irc = irc

    @property
    def state(self) -> TransportState:
        return self._now.state

    async def run(self, heard: Hearing) -> None:
        try:
            await self._now.run(heard)
        except UnfitToken as error:
            log.warning("chat_over_irc", reason=str(error))
            self._now = self._irc
            await self._irc.run(heard)

    async def send(self, text: str, reply_to: str = "") -> Sent:
        return await self._now.send(text, reply_to)

    async def stop(self) -> None:
        await self._irc.stop()
        await self._now.stop()


class NoTransport:
    """Nothing is configured: nothing is heard, and nothing can be said."""

    def __init__(self) -> None:
        self.state = TransportState()

    async def run(self, heard: Hearing) -> None:
        del heard

    async def send(self, text: str, reply_to: str = "") -> Sent:
        del text, reply_to
        raise Dropped("not_configured", "No chat is configured: set TWITCH_CHANNEL_NAME and TWITCH_ACCESS_TOKEN.")

    async def stop(self) -> None:
        return
