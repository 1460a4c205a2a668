"""Where games knock: the WebSocket /ws."""

from __future__ import annotations

from fastapi import APIRouter, WebSocket

from talekeeper.doors.game.admission import keep_tokens_out_of_logs
from talekeeper.doors.game.hub import Hub


def game_routes(hub: Hub) -> APIRouter:
    keep_tokens_out_of_logs()
    router = APIRouter(tags=["game"])

    @router.websocket("/ws")
    async def game(socket: WebSocket) -> None:
        await hub.serve(socket)

    return router
