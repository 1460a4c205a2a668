"""A client of the game door for games written in Python. It needs `websockets` and nothing else.

    async with GameClient(state=snapshot_of) as game:
        async for message in game.say("mara", "Good evening!"):
            if message["type"] == "agent_tag_chunk":
                print(message["text"], end="")

Reading a reply is performing it: when it ends, the client reports to the server what has been read. The protocol itself is
described in docs/game.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import json
import random
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

Message = dict[str, Any]
State = Callable[[str], Message | Awaitable[Message]]
"""An agent's id to its snapshot: at least `spec` with a `name`."""
Tools = Callable[[str, str, Any], Any]
"""Agent, tool and arguments to whatever the tool gives; what it raises is told as a failure."""

PLAYER: Message = {"id": "player", "name": "Player", "kind": "player"}
DEFAULT_URL = "ws://127.0.0.1:8000/ws"
MOST_BYTES = 1 << 20
_ENDS = ("agent_turn_finished", "agent_turn_interrupted")


class Refused(Exception):
    """The server does not want us: a wrong token, or a message it will not have."""

    def __init__(self, error: Message) -> None:
        super().__init__(error.get("message", "refused"))
        self.error = error


class Reply:
    """What an agent does about one event: its messages in order, over all turns that belong to it.

    It ends with the last turn; or with a message of type `superseded` (a newer event came before it had begun) or
    `disconnected`, which are the client's own.
    `shown` may say that less of a tag has been performed than was read (a typewriter is slower than the stream).
    """

    def __init__(self, client: GameClient, agent_id: str, event_id: str) -> None:
        self.agent_id = agent_id
        self.event_id = event_id
        self.turn_id: str | None = None
        self.ended = False
        self._client = client
        self._messages: asyncio.Queue[Message] = asyncio.Queue()
        self._read: dict[str, Message] = {}
        self._shown: dict[str, int] = {}

    def shown(self, tag_id: str, chars: int) -> None:
        self._shown[tag_id] = chars

    def __aiter__(self) -> AsyncIterator[Message]:
        return self._iterate()

    async def _iterate(self) -> AsyncIterator[Message]:
        while not self.ended:
            message = await self._messages.get()
            self._count(message)
            yield message
            nothing_follows = message["type"] in ("disconnected", "superseded")
            if nothing_follows or (message["type"] == "error" and message.get("turn_id") is None):
                self.ended = True
                self._client.forget(self)
            elif message["type"] in _ENDS:
                await self._turn_ended(message)

    async def stop(self) -> None:
        """Perform no more of it: what was read (or shown) until now is reported."""
        if not self.ended and self.turn_id is not None:
            await self._report("interrupted")
        self.ended = True
        self._client.forget(self)

    def _count(self, message: Message) -> None:
        match message["type"]:
            case "agent_turn_started":
                self.turn_id = message["turn_id"]
                self._read, self._shown = {}, {}
            case "agent_tag_open":
                told = {key: message[key] for key in ("tag_id", "tag", "attrs")}
                self._read[message["tag_id"]] = {**told, "text": "", "closed": False}
            case "agent_tag_chunk":
                self._read[message["tag_id"]]["text"] += message["text"]
            case "agent_tag_close":
                tag = self._read[message["tag_id"]]
                tag.update(text=message["text"], closed=message["reason"] != "interrupted")

    async def _turn_ended(self, message: Message) -> None:
        await self._report("interrupted" if message["type"] == "agent_turn_interrupted" else "completed")
        if message.get("stop_reason") == "tool_use":
            await self._client.run_tools(message)
        else:
            self.ended = True
            self._client.forget(self)

    async def _report(self, status: str) -> None:
        segments = []
        for tag_id, tag in self._read.items():
            done = self._shown.get(tag_id, len(tag["text"]))
            whole = tag["closed"] and done >= len(tag["text"])
            segments.append(
                {
                    "tag_id": tag_id, "tag": tag["tag"], "attrs": tag["attrs"], "text": tag["text"],
                    "outcome": "performed" if whole else "partial" if done else "skipped", "performed_chars": done,
                }
            )  # fmt: skip
        cut = any(segment["outcome"] != "performed" for segment in segments)
        told = status if status == "interrupted" or not cut else "partial"
        await self._client.send(
            "agent_turn_result", turn_id=self.turn_id, agent_id=self.agent_id, status=told, segments=segments
        )

    def take(self, message: Message) -> None:
        self._messages.put_nowait(message)


class GameClient:
    """Connects, answers what the server asks, and comes back when the line breaks."""

    def __init__(
        self,
        url: str = DEFAULT_URL,
        *,
        state: State,
        token: str | None = None,
        tools: Tools | None = None,
        reconnect: bool = True,
        on_message: Callable[[Message], None] = lambda _message: None,
    ) -> None:
        self._url = url
        self._token = token
        self._state = state
        self._tools = tools
        self._reconnect = reconnect
        self._on_message = on_message
        self._line: ClientConnection | None = None
        self._running: asyncio.Task[None] | None = None
        self._ready = asyncio.Event()
        self._refused: Message | None = None
        self._ids = itertools.count(1)
        self._session = f"{random.getrandbits(32):08x}"
        self._replies: dict[str, Reply] = {}
        self._unsent: deque[Message] = deque(maxlen=1000)
        self._answering: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> GameClient:
        first = await self._connect()
        self._running = asyncio.create_task(self._run(first))
        await self._ready.wait()
        if self._refused is not None:
            await self.__aexit__()
            raise Refused(self._refused)
        return self

    async def __aexit__(self, *_exc: object) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, *self._answering, return_exceptions=True)
        if self._line is not None:
            await self._line.close()

    def say(self, agent_id: str, text: str, **more: Any) -> Reply:
        return self.event(agent_id, "player_said", text=text, **more)

    def event(
        self, agent_id: str, kind: str, *, source: Message = PLAYER, interrupt: str = "always", **fields: Any
    ) -> Reply:
        """Something the agent should answer."""
        for earlier in [r for r in self._replies.values() if r.agent_id == agent_id and interrupt == "always"]:
            if earlier.turn_id is None:
                earlier.take({"type": "superseded"})
        reply = Reply(self, agent_id, f"{self._session}-{next(self._ids)}")
        self._replies[reply.event_id] = reply
        event = {"kind": kind, "source": source, **fields}
        self._soon(
            self.send("interaction_event", event_id=reply.event_id, agent_id=agent_id, event=event, interrupt=interrupt)
        )
        return reply

    async def notify(self, agents: str | list[str], kind: str = "custom", *, ttl_turns: int = 1, **event: Any) -> None:
        """Something to be noticed by one agent, several, or all ("*")."""
        whom = {"agent_id": agents} if isinstance(agents, str) else {"agent_ids": agents}
        told = {"kind": kind, "source": {"id": "world", "kind": "world"}, **event}
        await self.send("notification_event", **whom, event=told, ttl_turns=ttl_turns)

    async def cancel(self, agent_id: str) -> None:
        await self.send("cancel_turn", agent_id=agent_id)

    async def send(self, type_: str, **fields: Any) -> None:
        """At once, or as soon as the line is back."""
        message = {"type": type_, **fields}
        if self._line is None:
            self._unsent.append(message)
            return
        try:
            await self._line.send(json.dumps(message))
        except ConnectionClosed:
            self._unsent.append(message)

    async def run_tools(self, turn: Message) -> None:
        results = []
        for call in turn.get("tool_calls") or ():
            answer = {"call_id": call["call_id"], "name": call["name"]}
            try:
                if self._tools is None:
                    raise LookupError("this game has no tools")
                content = self._tools(turn["agent_id"], call["name"], call["arguments"])
                content = await content if inspect.isawaitable(content) else content
                results.append({**answer, "ok": True, "content": content})
            except Exception as error:  # noqa: BLE001 - whatever a tool does wrong, the NPC is told
                results.append({**answer, "ok": False, "content": None, "error": str(error)})
        await self.send("tool_results", turn_id=turn["turn_id"], agent_id=turn["agent_id"], results=results)

    def forget(self, reply: Reply) -> None:
        self._replies.pop(reply.event_id, None)

    # The line

    async def _connect(self) -> ClientConnection:
        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return await connect(self._url, additional_headers=headers, max_size=MOST_BYTES * 4)

    async def _run(self, line: ClientConnection | None) -> None:
        wait = 0.5
        while True:
            if line is not None:
                wait = 0.5
                with contextlib.suppress(ConnectionClosed):
                    await self._talk(line)
                self._lost()
            if not self._reconnect:
                return
            await asyncio.sleep(wait * random.uniform(0.7, 1.3))
            wait = min(wait * 2, 15.0)
            try:
                line = await self._connect()
            except (OSError, InvalidHandshake, InvalidURI, TimeoutError):
                line = None

    async def _talk(self, line: ClientConnection) -> None:
        self._line = line
        while self._unsent:
            await line.send(json.dumps(self._unsent.popleft()))
        # Whoever may not come in is told so before anything else.
        await line.send(json.dumps({"type": "ping"}))
        async for text in line:
            await self._take(json.loads(text))
            self._ready.set()

    def _lost(self) -> None:
        self._line = None
        for reply in list(self._replies.values()):
            reply.take({"type": "disconnected"})
        self._replies.clear()

    async def _take(self, message: Message) -> None:
        self._on_message(message)
        match message["type"]:
            case "get_agent_state":
                self._soon(self._answer_state(message))
            case "agent_turn_started":
                if reply := self._replies.get(message["event_id"]):
                    reply.turn_id = message["turn_id"]
                    reply.take(message)
            case "error":
                if message["fatal"]:
                    self._refused = message
                    self._reconnect = False
                self._tell(message, message.get("turn_id"), message.get("in_reply_to"))
            case _:
                self._tell(message, message.get("turn_id"), None)

    def _tell(self, message: Message, turn_id: str | None, event_id: str | None) -> None:
        for reply in list(self._replies.values()):
            if (turn_id is not None and reply.turn_id == turn_id) or reply.event_id == event_id:
                reply.take(message)

    async def _answer_state(self, asked: Message) -> None:
        state = self._state(asked["agent_id"])
        snapshot = await state if inspect.isawaitable(state) else state
        await self.send(
            "agent_state_snapshot", **{**snapshot, "request_id": asked["request_id"], "agent_id": asked["agent_id"]}
        )

    def _soon(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
