"""The fake Twitch's web API: tokens, users, streams, chat messages, markers, subscriptions; and scripted failures."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec
from aiohttp import web

from talekeeper.testing.twitch.room import DROPS, Grant, Room, Said, moment

Speak = Callable[[Said], Awaitable[None]]


class Subscribing(Protocol):
    """What EventSub does with requests that come by Helix."""

    def subscribe(self, grant: Grant, body: dict[str, Any]) -> web.Response: ...

    def listed(self) -> web.Response: ...

    def unsubscribe(self, subscription_id: str) -> web.Response: ...


class Failure(msgspec.Struct, frozen=True):
    """What one request gets instead of its answer."""

    status: int = 500
    body: bytes | None = None
    headers: dict[str, str] = {}
    hang: bool = False
    after: bool = False
    """Fail only after having done what was asked: the answer is lost, not the deed."""


def error(status: int, message: str) -> web.Response:
    named = {400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 409: "Conflict",
             429: "Too Many Requests", 500: "Internal Server Error", 503: "Service Unavailable"}  # fmt: skip
    return web.json_response({"error": named.get(status, "Error"), "status": status, "message": message}, status=status)


class HelixSide:
    def __init__(self, room: Room, speak: Speak, subscribing: Subscribing, client: tuple[str, str]) -> None:
        self.asked: list[tuple[str, str]] = []
        """Method and path of every request."""
        self.sent_with: list[Grant] = []
        """What each chat message was sent with."""
        self._room = room
        self._speak = speak
        self._subscribing = subscribing
        self._client_id, self._secret = client
        self._failures: dict[str, deque[Failure]] = defaultdict(deque)
        self._app_tokens = 0
        self._hanging = asyncio.Event()

    def will(self, path: str, *failures: Failure) -> None:
        """The next requests of a path fail, e.g. `will("streams", Failure(429))`."""
        self._failures[path].extend(failures)

    def routes(self) -> list[web.RouteDef]:
        answers: tuple[tuple[str, str, Callable[[web.Request], Awaitable[web.Response]]], ...] = (
            ("POST", "/oauth2/token", self._token),
            ("GET", "/oauth2/validate", self._validate),
            ("GET", "/helix/users", self._users),
            ("GET", "/helix/streams", self._streams),
            ("GET", "/helix/channels", self._channels),
            ("POST", "/helix/streams/markers", self._marker),
            ("POST", "/helix/chat/messages", self._message),
            ("POST", "/helix/eventsub/subscriptions", self._subscription),
            ("GET", "/helix/eventsub/subscriptions", self._subscriptions),
            ("DELETE", "/helix/eventsub/subscriptions", self._unsubscribed),
        )
        return [web.route(method, path, self._unless_told(answer)) for method, path, answer in answers]

    def let_go(self) -> None:
        self._hanging.set()

    def revoke_app_tokens(self) -> None:
        for token in [token for token, grant in self._room.grants.items() if not grant.login]:
            del self._room.grants[token]

    def _unless_told(self, answer: Callable[[web.Request], Awaitable[web.Response]]) -> Any:
        async def handle(request: web.Request) -> web.Response:
            path = request.path.removeprefix("/helix/").removeprefix("/oauth2/")
            self.asked.append((request.method, path))
            failure = self._failures[path].popleft() if self._failures[path] else None
            if failure is None:
                answered = await answer(request)
                limits = {"Limit": "800", "Remaining": "799", "Reset": str(int(self._room.clock()) + 1)}
                answered.headers.update({f"Ratelimit-{name}": value for name, value in limits.items()})
                return answered
            if failure.after:
                await answer(request)
            if failure.hang:
                await self._hanging.wait()
            if failure.body is None:
                answered = error(failure.status, "as told")
                answered.headers.update(failure.headers)
                return answered
            return web.Response(status=failure.status, body=failure.body, headers=failure.headers)

        return handle

    def _grant(self, request: web.Request) -> Grant | None:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        grant = self._room.grant(token)
        return grant if grant is not None and request.headers.get("Client-Id") == grant.client_id else None

    async def _token(self, request: web.Request) -> web.Response:
        given = {**request.query, **(await request.post())}
        if (given.get("client_id"), given.get("client_secret")) != (self._client_id, self._secret):
            return web.json_response({"status": 403, "message": "invalid client secret"}, status=403)
        self._app_tokens += 1
        token = f"app-{self._app_tokens}"
        self._room.grants[token] = Grant(self._client_id)
        return web.json_response({"access_token": token, "expires_in": 5011271, "token_type": "bearer"})

    async def _validate(self, request: web.Request) -> web.Response:
        token = request.headers.get("Authorization", "").removeprefix("OAuth ").removeprefix("Bearer ")
        grant = self._room.grant(token)
        if grant is None:
            return web.json_response({"status": 401, "message": "invalid access token"}, status=401)
        body: dict[str, Any] = {"client_id": grant.client_id, "scopes": list(grant.scopes), "expires_in": 5011271}
        if grant.login:
            body |= {"login": grant.login, "user_id": self._room.id_of(grant.login)}
        return web.json_response(body)

    async def _users(self, request: web.Request) -> web.Response:
        grant = self._grant(request)
        if grant is None:
            return error(401, "Invalid OAuth token")
        logins = [login.lower() for login in request.query.getall("login", [])]
        logins += [self._room.login_of(user_id) for user_id in request.query.getall("id", [])]
        if not logins and grant.login:
            logins = [grant.login]
        return web.json_response({"data": [self._user(login) for login in logins if self._room.known(login)]})

    def _user(self, login: str) -> dict[str, Any]:
        return {"id": self._room.id_of(login), "login": login, "display_name": login.title(), "type": "",
                "broadcaster_type": "", "description": "", "profile_image_url": "", "offline_image_url": "",
                "view_count": 0, "created_at": moment(1_600_000_000)}  # fmt: skip

    async def _streams(self, request: web.Request) -> web.Response:
        if self._grant(request) is None:
            return error(401, "Invalid OAuth token")
        room, on_air = self._room, self._room.on_air
        asked = {login.lower() for login in request.query.getall("user_login", [])}
        asked |= {room.login_of(user_id) for user_id in request.query.getall("user_id", [])}
        data = []
        if on_air is not None and room.channel in asked:
            data.append({
                "id": "41375541868", "user_id": room.id_of(room.channel), "user_login": room.channel,
                "user_name": room.channel.title(), "game_id": "509658", "game_name": on_air.game, "type": "live",
                "title": on_air.title, "tags": [], "viewer_count": on_air.viewers, "started_at": moment(on_air.since),
                "language": "en", "thumbnail_url": "", "tag_ids": [], "is_mature": False,
            })  # fmt: skip
        return web.json_response({"data": data, "pagination": {}})

    async def _channels(self, request: web.Request) -> web.Response:
        if self._grant(request) is None:
            return error(401, "Invalid OAuth token")
        room = self._room
        if request.query.get("broadcaster_id") != room.id_of(room.channel):
            return web.json_response({"data": []})
        return web.json_response({"data": [{
            "broadcaster_id": room.id_of(room.channel), "broadcaster_login": room.channel, "broadcaster_language": "en",
            "broadcaster_name": room.channel.title(), "game_id": "509658", "game_name": room.game, "title": room.title,
            "delay": 0, "tags": [], "content_classification_labels": [], "is_branded_content": False,
        }]})  # fmt: skip

    async def _marker(self, request: web.Request) -> web.Response:
        grant = self._grant(request)
        if grant is None or not grant.login:
            return error(401, "Invalid OAuth token")
        if "channel:manage:broadcast" not in grant.scopes:
            return error(401, "Missing scope: channel:manage:broadcast")
        if self._room.on_air is None:
            return error(404, "The stream is not live.")
        body = await request.json()
        self._room.markers.append(body.get("description", ""))
        at = int(self._room.clock() - self._room.on_air.since)
        return web.json_response({"data": [{"id": "106b8d6243a4f883d25ad75e6cdffdc4", "created_at": self._room.now(),
                                            "description": body.get("description", ""), "position_seconds": at}]})  # fmt: skip

    async def _message(self, request: web.Request) -> web.Response:
        grant = self._grant(request)
        if grant is None:
            return error(401, "Invalid OAuth token")
        text = await request.text()
        given: dict[str, Any] = {**request.query, **(json.loads(text) if text and text != "null" else {})}
        sender = self._room.login_of(str(given.get("sender_id", "")))
        if grant.login and (grant.login != sender or "user:write:chat" not in grant.scopes):
            return error(401, "The sender_id must match the token's user, with the scope user:write:chat.")
        if not grant.login and not self._is_bot(sender):
            return error(401, "The sender must have authorised the app with the scope user:bot.")
        if given.get("broadcaster_id") != self._room.id_of(self._room.channel) or not given.get("message"):
            return error(400, "The broadcaster_id or the message is missing.")
        if len(given["message"]) > 500:
            return error(400, "The message is too long.")
        self.sent_with.append(grant)
        said = Said(self._room.new_id(), sender, given["message"], reply_to=given.get("reply_parent_message_id") or "")
        if self._room.drops:
            reason = self._room.drops.popleft()
            drop = {"code": reason, "message": DROPS.get(reason, "No.")}
            return web.json_response({"data": [{"message_id": "", "is_sent": False, "drop_reason": drop}]})
        await self._speak(said)
        return web.json_response({"data": [{"message_id": said.id, "is_sent": True, "drop_reason": None}]})

    def _is_bot(self, login: str) -> bool:
        return any(grant.login == login and "user:bot" in grant.scopes for grant in self._room.grants.values())

    async def _subscription(self, request: web.Request) -> web.Response:
        grant = self._grant(request)
        if grant is None or not grant.login:
            return error(401, "Invalid OAuth token")
        return self._subscribing.subscribe(grant, await request.json())

    async def _subscriptions(self, request: web.Request) -> web.Response:
        return error(401, "Invalid OAuth token") if self._grant(request) is None else self._subscribing.listed()

    async def _unsubscribed(self, request: web.Request) -> web.Response:
        if self._grant(request) is None:
            return error(401, "Invalid OAuth token")
        return self._subscribing.unsubscribe(request.query.get("id", ""))
