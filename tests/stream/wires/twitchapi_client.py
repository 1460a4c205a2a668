"""twitchAPI with its own EventSub and chat clients talks with the fake Twitch, and prints what it met, a line each."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from twitchAPI.chat import Chat
from twitchAPI.eventsub.websocket import EventSubWebsocket
from twitchAPI.helper import first
from twitchAPI.twitch import Twitch
from twitchAPI.type import AuthScope, ChatEvent

HELIX, AUTH, EVENTSUB, IRC, CLIENT, SECRET, TOKEN, CHANNEL = sys.argv[1:9]


def tell(event: str, **more: Any) -> None:
    # In one piece: the library's own threads tell things as well.
    os.write(1, f"{json.dumps({'event': event, **more})}\n".encode())


async def main() -> None:
    twitch = await Twitch(CLIENT, SECRET, base_url=HELIX, auth_base_url=AUTH)
    twitch.auto_refresh_auth = False
    scopes = [AuthScope.USER_READ_CHAT, AuthScope.USER_WRITE_CHAT, AuthScope.CHAT_READ, AuthScope.CHAT_EDIT]
    await twitch.set_user_authentication(TOKEN, scopes)
    streamer = await first(twitch.get_users(logins=[CHANNEL]))
    own = await first(twitch.get_users())
    stream = await first(twitch.get_streams(user_login=[CHANNEL]))
    assert streamer is not None
    assert own is not None
    tell("known", id=streamer.id, own=own.login, title=stream.title if stream else None)

    async def said(data: Any) -> None:
        tell("said", name=data.event.chatter_user_login, text=data.event.message.text, id=data.event.message_id)

    async def live(data: Any) -> None:
        tell("live", since=data.event.started_at.timestamp())

    async def heard(message: Any) -> None:
        tell("irc", name=message.user.name, text=message.text, mod=message.user.mod)

    socket = EventSubWebsocket(twitch, connection_url=EVENTSUB, subscription_url=HELIX)
    socket.start()
    await socket.listen_channel_chat_message(streamer.id, own.id, said)
    await socket.listen_stream_online(streamer.id, live)
    sent = await twitch.send_chat_message(streamer.id, own.id, "Good evening.")
    tell("sent", id=sent.message_id, is_sent=sent.is_sent)

    chat = await Chat(twitch, connection_url=IRC, initial_channel=[CHANNEL])
    chat.register_event(ChatEvent.MESSAGE, heard)
    ready = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def joined(_event: Any) -> None:
        loop.call_soon_threadsafe(ready.set)

    chat.register_event(ChatEvent.JOINED, joined)
    await asyncio.to_thread(chat.start)
    await ready.wait()
    tell("ready")
    while (typed := (await asyncio.to_thread(sys.stdin.readline)).strip()) not in {"", "end"}:
        await chat.send_message(CHANNEL, typed)
    os._exit(0)  # its threads would go on


asyncio.run(main())
