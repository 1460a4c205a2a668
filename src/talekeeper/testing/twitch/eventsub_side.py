"""The fake Twitch's EventSub over WebSocket: welcome, keepalive, notifications, reconnects, revocations."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from aiohttp import web

from talekeeper.testing.twitch.helix_side import error
from talekeeper.testing.twitch.room import Grant, Room

SCOPES = {
    "channel.chat.message": "user:read:chat", "channel.chat.message_delete": "user:read:chat",
    "channel.chat.clear": "user:read:chat", "channel.chat.clear_user_messages": "user:read:chat",
    "stream.online": "", "stream.offline": "", "channel.update": "",
}  # fmt: skip
GRACE = 30.0
"""Seconds for which a socket stays open after its client was welcomed elsewhere; well-behaved clients close it."""
_OWN_CHANNEL = "channel.chat."


class EventSubSession:
    def __init__(self, session_id: str, socket: web.WebSocketResponse, subscriptions: list[dict[str, Any]]) -> None:
        self.id = session_id
        self.socket = socket
        self.subscriptions = subscriptions
        self.moved_at: float | None = None
        """When its client was welcomed on another socket, by the loop's time."""


class EventSubSide:
    def __init__(self, room: Room) -> None:
        self.sessions: list[EventSubSession] = []
        self.ever = 0
        self.keepalive = 10
        self.silent = False
        """A silent server sends its welcome, and nothing after it."""
        self.url = ""
        self.last_notification: dict[str, Any] = {}
        self._room = room
        self._left: list[EventSubSession] = []

    @property
    def subscribed(self) -> list[str]:
        return [subscription["type"] for session in self.sessions for subscription in session.subscriptions]

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        moved = request.query.get("move", "")
        before = next((session for session in self.sessions if session.id == moved), None)
        if moved and before is None:
            await socket.close(code=4007, message=b"invalid reconnect")
            return socket
        self.ever += 1
        session = EventSubSession(moved or f"AgoQ{self._room.new_id()}", socket, before.subscriptions if before else [])
        await self._send(session, "session_welcome", {"session": self._described(session, "connected")})
        if before is not None:
            self.sessions.remove(before)
            self._left.append(before)
            before.moved_at = asyncio.get_running_loop().time()
        self.sessions.append(session)
        beating = asyncio.create_task(self._beat(session))
        try:
            async for _frame in socket:
                await socket.close(code=4001, message=b"client sent inbound traffic")
        finally:
            beating.cancel()
            for known in (self.sessions, self._left):
                if session in known:
                    known.remove(session)
        return socket

    def subscribe(self, grant: Grant, body: dict[str, Any]) -> web.Response:
        kind, condition = body.get("type", ""), body.get("condition", {})
        session_id = body.get("transport", {}).get("session_id")
        session = next((session for session in self.sessions if session.id == session_id), None)
        if kind not in SCOPES or session is None:
            return error(400, "unknown subscription type or session")
        needs = SCOPES[kind]
        own = not kind.startswith(_OWN_CHANNEL) or condition.get("user_id") == self._room.id_of(grant.login)
        if (needs and needs not in grant.scopes) or not own:
            return error(403, "subscription missing proper authorization")
        if any(known["type"] == kind for known in session.subscriptions):
            return error(409, "subscription already exists")
        subscription = {
            "id": self._room.new_id(), "status": "enabled", "type": kind, "version": body["version"], "cost": 0,
            "condition": condition, "created_at": self._room.now(),
            "transport": {"method": "websocket", "session_id": session.id, "connected_at": self._room.now()},
        }  # fmt: skip
        session.subscriptions.append(subscription)
        return web.json_response({"data": [subscription], **self._counted()}, status=202)

    def listed(self) -> web.Response:
        known = [subscription for session in self.sessions for subscription in session.subscriptions]
        return web.json_response({"data": known, **self._counted(), "pagination": {}})

    def unsubscribe(self, subscription_id: str) -> web.Response:
        for session in self.sessions:
            for subscription in session.subscriptions:
                if subscription["id"] == subscription_id:
                    session.subscriptions.remove(subscription)
                    return web.Response(status=204)
        return error(404, "no such subscription")

    def _counted(self) -> dict[str, int]:
        return {"total": len(self.subscribed), "total_cost": 0, "max_total_cost": 10}

    async def notify(self, kind: str, event: dict[str, Any]) -> None:
        for session in list(self.sessions):
            for subscription in session.subscriptions:
                if subscription["type"] == kind:
                    await self._send(session, "notification", {"subscription": subscription, "event": event})

    async def repeat(self) -> None:
        """The last notification once more, as Twitch does when it is not sure."""
        for session in self.sessions:
            await session.socket.send_json(self.last_notification)

    async def reconnect(self) -> None:
        for session in list(self.sessions):
            moving = {**self._described(session, "reconnecting"), "keepalive_timeout_seconds": None}
            moving["reconnect_url"] = f"{self.url}?move={session.id}"
            await self._send(session, "session_reconnect", {"session": moving})

    async def revoke(self, status: str = "authorization_revoked") -> None:
        for session in list(self.sessions):
            for subscription in session.subscriptions:
                await self._send(session, "revocation", {"subscription": {**subscription, "status": status}})
            session.subscriptions.clear()

    async def garbage(self, *frames: str) -> None:
        for session in self.sessions:
            for frame in frames:
                await session.socket.send_str(frame)

    async def hang_up(self, code: int = 4000) -> None:
        for session in [*self.sessions, *self._left]:
            await session.socket.close(code=code)

    def _described(self, session: EventSubSession, status: str) -> dict[str, Any]:
        return {"id": session.id, "status": status, "keepalive_timeout_seconds": self.keepalive, "reconnect_url": None,
                "connected_at": self._room.now()}  # fmt: skip

    async def _beat(self, session: EventSubSession) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                await asyncio.sleep(self.keepalive * 0.9)
                if session.moved_at is None:
                    if not self.silent:
                        await self._send(session, "session_keepalive", {})
                elif asyncio.get_running_loop().time() - session.moved_at >= GRACE:
                    await session.socket.close(code=4004, message=b"reconnect grace time expired")

    async def _send(self, session: EventSubSession, kind: str, payload: dict[str, Any]) -> None:
        metadata = {"message_id": self._room.new_id(), "message_type": kind, "message_timestamp": self._room.now()}
        if subscription := payload.get("subscription"):
            metadata |= {"subscription_type": subscription["type"], "subscription_version": subscription["version"]}
        message = {"metadata": metadata, "payload": payload}
        if kind == "notification":
            self.last_notification = message
        with contextlib.suppress(ConnectionError):
            await session.socket.send_json(message)
