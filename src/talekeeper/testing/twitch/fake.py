"""The fake Twitch: one channel, reachable over IRC (TCP and WebSocket), EventSub and Helix, all in step."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

from aiohttp import web

from talekeeper.observe.clock import Clock, system_clock
from talekeeper.testing.twitch.eventsub_side import EventSubSide
from talekeeper.testing.twitch.helix_side import HelixSide
from talekeeper.testing.twitch.irc_side import IrcSide
from talekeeper.testing.twitch.room import Grant, OnAir, Room, Said, moment

ALL_SCOPES = (
    "chat:read", "chat:edit", "user:read:chat", "user:write:chat", "user:bot", "channel:bot", "channel:manage:broadcast",
)  # fmt: skip


class FakeTwitch:
    """Open from entering to leaving it as a context manager. What people do there is said by the methods with verbs."""

    client_id = "client-id"
    client_secret = "client-secret"

    def __init__(self, channel: str = "hearth", bot: str = "keeper", clock: Clock = system_clock) -> None:
        self.channel = channel
        self.bot = bot
        self.room = Room(channel, clock)
        self.eventsub = EventSubSide(self.room)
        self.irc = IrcSide(self.room, self._show)
        self.helix = HelixSide(self.room, self._show, self.eventsub, (self.client_id, self.client_secret))
        app = web.Application()
        app.router.add_routes(self.helix.routes())
        app.router.add_get("/eventsub", self.eventsub.serve)
        app.router.add_get("/", self.irc.over_websocket)
        self._runner = web.AppRunner(app, shutdown_timeout=0.2)

    async def __aenter__(self) -> Self:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port: int = self._runner.addresses[0][1]
        self.eventsub.url = self.eventsub_url
        await self.irc.start()
        return self

    async def __aexit__(
        self, _k: type[BaseException] | None, _e: BaseException | None, _t: TracebackType | None
    ) -> None:
        self.helix.let_go()
        await self.eventsub.hang_up(1001)
        await self.irc.stop()
        await self._runner.cleanup()

    @property
    def helix_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/helix/"

    @property
    def auth_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/oauth2/"

    @property
    def eventsub_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}/eventsub"

    def token(self, login: str = "", scopes: tuple[str, ...] = ALL_SCOPES, client_id: str = "") -> str:
        """A user's token, by default the bot's, with every scope, made by our app."""
        login = login or self.bot
        self.room.id_of(login)
        token = f"user-{login}-{len(self.room.grants)}"
        self.room.grants[token] = Grant(client_id or self.client_id, login, scopes)
        return token

    @property
    def spoken(self) -> list[str]:
        """What the bot said, as people read it."""
        return [said.text for said in self.room.shown if said.name == self.bot]

    async def says(self, name: str, text: str, **more: Any) -> str:
        """Somebody writes; the id of the message."""
        said = Said(self.room.new_id(), name, text, **more)
        await self._show(said)
        return said.id

    async def deletes(self, message_id: str) -> None:
        said = next(said for said in self.room.shown if said.id == message_id)
        tags = {"login": said.name, "room-id": "", "target-msg-id": said.id, "tmi-sent-ts": "1642715756806"}
        self.irc.tell_all("CLEARMSG", f"#{self.channel}", said.text, tags=tags)
        event = {**self._target(said.name), "message_id": said.id}
        await self.eventsub.notify("channel.chat.message_delete", event)

    async def clears(self, name: str = "") -> None:
        """All chat, or all that one person said."""
        room_id = self.room.id_of(self.channel)
        if name:
            tags = {"ban-duration": "350", "room-id": room_id, "target-user-id": self.room.id_of(name)}
            self.irc.tell_all("CLEARCHAT", f"#{self.channel}", name, tags=tags)
            await self.eventsub.notify("channel.chat.clear_user_messages", self._target(name))
        else:
            self.irc.tell_all("CLEARCHAT", f"#{self.channel}", tags={"room-id": room_id})
            await self.eventsub.notify("channel.chat.clear", self._user("broadcaster", self.channel))

    async def goes_live(self, title: str = "Quiet evening", game: str = "Myst") -> None:
        self.room.title, self.room.game = title, game
        self.room.on_air = OnAir(title, game, self.room.clock())
        await self.eventsub.notify("stream.online", {
            "id": "9001", **self._user("broadcaster", self.channel), "type": "live",
            "started_at": moment(self.room.on_air.since),
        })  # fmt: skip

    async def changes_title(self, title: str, game: str = "Myst") -> None:
        self.room.title, self.room.game = title, game
        await self.eventsub.notify("channel.update", {
            **self._user("broadcaster", self.channel), "title": title, "language": "en", "category_id": "12453",
            "category_name": game, "content_classification_labels": [],
        })  # fmt: skip

    async def goes_offline(self) -> None:
        self.room.on_air = None
        await self.eventsub.notify("stream.offline", self._user("broadcaster", self.channel))

    async def _show(self, said: Said) -> None:
        self.room.shown.append(said)
        for session in self.irc.sessions:
            session.hear(said)
        await self.eventsub.notify("channel.chat.message", self._message(said))

    def _user(self, role: str, login: str) -> dict[str, str]:
        return {
            f"{role}_user_id": self.room.id_of(login),
            f"{role}_user_login": login,
            f"{role}_user_name": login.title(),
        }

    def _target(self, name: str) -> dict[str, str]:
        return {**self._user("broadcaster", self.channel), **self._user("target", name)}

    def _message(self, said: Said) -> dict[str, Any]:
        nobody = {"source_broadcaster_user_id": None, "source_broadcaster_user_login": None,
                  "source_broadcaster_user_name": None}  # fmt: skip
        reply = {"parent_message_id": said.reply_to, "parent_message_body": "", "parent_user_id": "1",
                 "parent_user_name": "", "parent_user_login": "", "thread_message_id": said.reply_to,
                 "thread_user_id": "1", "thread_user_name": "", "thread_user_login": ""}  # fmt: skip
        fragment = {"type": "text", "text": said.wire_text, "cheermote": None, "emote": None, "mention": None}
        return {
            **self._user("broadcaster", self.channel), **self._user("chatter", said.name),
            "chatter_user_name": said.display or said.name, "message_id": said.id,
            "message": {"text": said.wire_text, "fragments": [fragment]}, "message_type": "text", "color": "",
            "badges": [{"set_id": badge, "id": "1", "info": ""} for badge in said.badges], "cheer": None,
            "reply": reply if said.reply_to else None, "channel_points_custom_reward_id": None,
            **(self._user("source_broadcaster", said.source) if said.source else nobody),
            "source_message_id": None, "source_badges": None, "is_source_only": None,
        }  # fmt: skip
