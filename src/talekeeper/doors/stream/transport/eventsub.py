"""The EventSub adapter: hears by EventSub over WebSocket, speaks by Helix. Twitch's own way, and the default."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from contextlib import aclosing

import structlog

from talekeeper.doors.stream.transport.backoff import Backoff
from talekeeper.doors.stream.transport.credentials import MissingScope, OtherApp
from talekeeper.doors.stream.transport.ear import Ear
from talekeeper.doors.stream.transport.eventsub_reading import (
    CHAT,
    SUBSCRIPTIONS,
    EventSubReading,
    Frame,
    Subscription,
)
from talekeeper.doors.stream.transport.eventsub_socket import EventSubSocket
from talekeeper.doors.stream.transport.helix import Helix
from talekeeper.doors.stream.transport.helix_sending import HelixSending
from talekeeper.doors.stream.transport.lost import Lost
from talekeeper.doors.stream.transport.persistence import stay_connected
from talekeeper.doors.stream.transport.port import (
    BadCredentials,
    Dropped,
    Heard,
    Hearing,
    LineHeard,
    SendFailed,
    Sent,
    TransportState,
    WentLive,
    WentOffline,
)
from talekeeper.errors import BadInput, NotAllowed, NotFound, TalekeeperError, Unavailable
from talekeeper.observe.clock import Clock, system_clock

log = structlog.get_logger("talekeeper.stream")

READ_CHAT = "user:read:chat"
_REMEMBERED = 5_000
_LAG = 300.0
"""Seconds for which Helix may not yet know that a stream began."""
_SAME_STREAM = 5.0
_GONE_FOR_GOOD = frozenset({"authorization_revoked", "user_removed"})


class EventSubTransport:
    def __init__(
        self,
        channel: str,
        helix: Helix,
        url: str,
        *,
        bot: str = "",
        backoff: Backoff | None = None,
        clock: Clock = system_clock,
        slack: float = 2.0,
        validate_every: float = 3600.0,
    ) -> None:
        """`slack` is what a heartbeat may be late. Twitch asks for the token to be validated once an hour."""
        self.state = TransportState(configured=True)
        self._channel = channel
        self._bot = bot
        self._helix = helix
        self._url = url
        self._backoff = backoff or Backoff()
        self._clock = clock
        self._slack = slack
        self._validate_every = validate_every
        self._validated_at = 0.0
        self._sending = HelixSending(helix, clock)
        self._stopped = asyncio.Event()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._broadcaster = self._sender = ""
        self._live_since: float | None = None

    async def run(self, heard: Hearing) -> None:
        async with Ear(heard) as ear:
            await stay_connected(lambda: self._hold(ear), self.state, self._stopped, self._backoff)

    async def send(self, text: str, reply_to: str = "") -> Sent:
        """Needs no open socket, only to know who is who."""
        try:
            await self._introduce()
        except BadCredentials as error:
            raise Dropped("unauthorized", str(error)) from error
        except TalekeeperError as error:
            raise SendFailed(error.message, error.hint) from error
        return await self._sending.send(self._broadcaster, self._sender, text, reply_to)

    async def stop(self) -> None:
        self._stopped.set()

    async def _introduce(self) -> None:
        """Who we are and where we listen, asked once."""
        if not self._sender:
            holder = await self._helix.holder()
            self._broadcaster = await self._helix.user_id(self._channel)
            self._bot, self._sender = holder.login.lower(), holder.user_id

    async def _hold(self, ear: Ear) -> None:
        self._validated_at = asyncio.get_running_loop().time()
        holder = await self._helix.holder(fresh=True)
        if holder.client_id != self._helix.client_id:
            raise OtherApp
        if READ_CHAT not in holder.scopes:
            raise MissingScope(READ_CHAT)
        try:
            await self._introduce()
        except NotFound as error:
            raise Lost(str(error)) from error
        reading = EventSubReading(self._channel, self._bot, self._clock)
        socket = await EventSubSocket.open(self._url, self._slack)
        try:
            await self._subscribe(socket.session.id)
            self.state.connected = True
            self.state.last_error = ""
            await self._catch_up(ear)
            async with aclosing(socket.frames()) as frames:
                async for frame in frames:
                    await self._take(frame, reading, ear)
        finally:
            await socket.close()

    async def _subscribe(self, session_id: str) -> None:
        """To what Twitch will not tell of at all we stay deaf, unless it is the chat; other failures are tried again."""
        for kind, version in SUBSCRIPTIONS:
            condition = {"broadcaster_user_id": self._broadcaster}
            if kind.startswith("channel.chat."):
                condition["user_id"] = self._sender
            try:
                await self._helix.subscribe(kind, version, condition, session_id)
            except (BadInput, NotAllowed) as error:
                if kind == CHAT:
                    raise (BadCredentials if isinstance(error, NotAllowed) else Lost)(str(error)) from error
                log.warning("not_told_of", kind=kind, error=str(error))

    async def _catch_up(self, ear: Ear) -> None:
        """Whether the stream began or ended while nobody listened."""
        try:
            on_air = await self._helix.on_air(self._channel)
        except TalekeeperError as error:
            log.warning("live_status_unknown", error=str(error))
            return
        if on_air is not None and not self._is_known(on_air.started_at):
            await self._tell(ear, WentLive(on_air.started_at, on_air.title, on_air.game))
        elif on_air is None and self._live_since is not None and self._clock() - self._live_since > _LAG:
            await self._tell(ear, WentOffline(self._clock()))

    async def _take(self, frame: Frame, reading: EventSubReading, ear: Ear) -> None:
        await self._validate()
        if frame.metadata.message_type == "revocation":
            self._revoked(frame.payload.subscription)
        if frame.metadata.message_type != "notification" or self._seen(frame.metadata.message_id):
            return
        heard = reading.read(frame.payload)
        if isinstance(heard, LineHeard) and self._seen(f"line {heard.line.id}"):
            return
        if isinstance(heard, WentLive):
            if self._is_known(heard.at):
                return
            heard = await self._titled(heard)
        if heard is not None:
            await self._tell(ear, heard)

    async def _tell(self, ear: Ear, heard: Heard) -> None:
        if isinstance(heard, WentLive):
            self._live_since = heard.at
        elif isinstance(heard, WentOffline):
            self._live_since = None
        elif isinstance(heard, LineHeard) and heard.line.name == self._bot:
            self.state.moderator = heard.line.moderator
        await ear.tell(heard)

    async def _validate(self) -> None:
        """A heartbeat comes every few seconds, so that this needs no timer of its own."""
        now = asyncio.get_running_loop().time()
        if now - self._validated_at < self._validate_every:
            return
        self._validated_at = now
        try:
            await self._helix.holder(fresh=True)
        except Unavailable as error:
            log.warning("token_not_validated", error=str(error))

    def _is_known(self, started_at: float) -> bool:
        """The same stream, told by EventSub and by Helix; another one means that the end of the first went unheard."""
        return self._live_since is not None and abs(started_at - self._live_since) < _SAME_STREAM

    async def _titled(self, live: WentLive) -> WentLive:
        """The event says nothing of title and game."""
        try:
            title, game = await self._helix.title_and_game(self._broadcaster)
        except TalekeeperError:
            return live
        return WentLive(live.at, title, game)

    def _revoked(self, subscription: Subscription | None) -> None:
        if subscription is None or not subscription.type.startswith("channel.chat."):
            return
        if subscription.status in _GONE_FOR_GOOD:
            raise BadCredentials(
                "The companion's authorisation was taken back.", "Authorise the bot account again, then start it anew."
            )
        raise Lost(f"Twitch no longer tells of the chat ({subscription.status}).")

    def _seen(self, message_id: str) -> bool:
        """Twitch delivers at least once."""
        if not message_id:
            return False
        if message_id in self._known:
            return True
        self._known[message_id] = None
        if len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return False
