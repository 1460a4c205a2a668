"""Where games knock: the WebSocket /ws. A route of its own, so that nothing stands between a turn and the socket."""

from __future__ import annotations

from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket

from talekeeper.doors.game.admission import keep_tokens_out_of_logs
from talekeeper.doors.game.hub import Hub

PATH = "/ws"


class GameRoute(BaseRoute):
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        keep_tokens_out_of_logs()

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = scope["path"].removeprefix(scope.get("root_path", "")) if scope["type"] == "websocket" else ""
        return (Match.FULL, {}) if path == PATH else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._hub.serve(WebSocket(scope, receive, send), send)
