"""One turn on the wire: gapless numbers, every tag that was opened closed, one end, and nothing after it.

Numbers are given and texts are counted when a message is really sent: what an interruption finds still waiting was never
said. Chunks are gathered for a moment, but for the first of each tag.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from talekeeper.agents.npc.performance import Said
from talekeeper.doors.game.outgoing import (
    AgentTagChunk,
    AgentTagClose,
    AgentTagOpen,
    AgentTurnFinished,
    AgentTurnInterrupted,
    AgentTurnStarted,
    InterruptReason,
    Outgoing,
    TokenUse,
    Trigger,
    TurnMessage,
)
from talekeeper.doors.game.wire import Wire
from talekeeper.llm.tags import TagChunk, TagClose, TagOpen

GATHER_SECONDS = 0.02


class Delivery:
    def __init__(self, wire: Wire, turn_id: str, agent_id: str, streamed: frozenset[str]) -> None:
        self.turn_id = turn_id
        self.agent_id = agent_id
        self._wire = wire
        self._streamed = streamed
        self._loop = asyncio.get_running_loop()
        self._seq = 0
        self._dead = False
        self._tags: dict[str, _SentTag] = {}
        self._waiting: _Chunk | None = None
        """The newest chunk while it is still in the queue; more text of the same tag joins it there."""
        self._held: list[str] = []
        self._held_tag: TagChunk | None = None
        self._begun: set[str] = set()
        self._last_chunk = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.ended = asyncio.Event()
        """The last message of the turn has left, or the connection is gone."""
        self.opened_at: float | None = None
        wire.when_gone.add(self._end)

    def start(self, event_id: str, model: str, trigger: Trigger) -> None:
        self._put(
            AgentTurnStarted(
                turn_id=self.turn_id, agent_id=self.agent_id, event_id=event_id, model=model, trigger=trigger
            )
        )

    def show(self, event: TagOpen | TagChunk | TagClose) -> None:
        """The next tag event of the turn."""
        if self._dead:
            return
        if isinstance(event, TagChunk):
            if event.tag in self._streamed:
                self._chunk(event)
            else:
                self._put(_Quiet(self, event))
            return
        self._flush()
        if isinstance(event, TagOpen):
            self.opened_at = self.opened_at or self._loop.time()
        self._put(event)

    def finish(self, message: AgentTurnFinished) -> None:
        self._flush()
        self._put(message)

    def beside(self, message: Outgoing) -> None:
        """A message about this turn, in its place before the end."""
        self._flush()
        self._waiting = None
        self._wire.put(message)

    def kill(self) -> None:
        """From now on nothing of the turn is sent but its end."""
        self._dead = True
        self._waiting = None
        self._drop_held()

    def interrupt(self, reason: InterruptReason, by_event_id: str | None, usage: TokenUse | None = None) -> None:
        self.kill()
        self._put(
            AgentTurnInterrupted(
                turn_id=self.turn_id, agent_id=self.agent_id, reason=reason, by_event_id=by_event_id, open_tag_ids=[],
                usage=usage,
            )
        )  # fmt: skip

    def said(self) -> tuple[Said, ...]:
        """What has been sent, tag by tag, in the order in which they were opened."""
        return tuple(
            Said(tag.tag, tag.text, tag.attrs) for tag in self._tags.values() if tag.text or tag.closed == "closed"
        )

    def segment(self, tag_id: str) -> Said | None:
        tag = self._tags.get(tag_id)
        return None if tag is None else Said(tag.tag, tag.text, tag.attrs)

    # Gathering

    def _chunk(self, event: TagChunk) -> None:
        waiting = self._waiting
        if waiting is not None and waiting.event.tag_id == event.tag_id:
            waiting.more.append(event.text)
            return
        now = self._loop.time()
        if self._held_tag is not None and self._held_tag.tag_id != event.tag_id:
            self._flush()
        if event.tag_id not in self._begun or now - self._last_chunk >= GATHER_SECONDS:
            self._held.append(event.text)
            self._held_tag = event
            self._begun.add(event.tag_id)
            self._flush()
            return
        self._held.append(event.text)
        self._held_tag = event
        if self._timer is None:
            self._timer = self._loop.call_later(self._last_chunk + GATHER_SECONDS - now, self._flush)

    def _flush(self) -> None:
        tag, held = self._held_tag, self._held
        self._drop_held()
        if tag is not None and held:
            self._last_chunk = self._loop.time()
            self._waiting = _Chunk(self, tag, held)
            self._wire.put(self._waiting)

    def _drop_held(self) -> None:
        self._held_tag, self._held = None, []
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _put(self, item: TagOpen | TagClose | TurnMessage | _Quiet) -> None:
        self._waiting = None
        self._wire.put(item if isinstance(item, _Quiet) else _Step(self, item))
        if self._wire.closed:
            self._end()

    def _end(self) -> None:
        self._wire.when_gone.discard(self._end)
        self.ended.set()

    # Sending

    def realise_chunk(self, chunk: _Chunk, text: str) -> Iterable[Outgoing]:
        """Nearly every message is one: it takes the shortest way."""
        if self._waiting is chunk:
            self._waiting = None
        if self._dead or self.ended.is_set():
            return ()
        event = chunk.event
        self._tags[event.tag_id].parts.append(text)
        seq, self._seq = self._seq, self._seq + 1
        return (
            AgentTagChunk(
                turn_id=self.turn_id, agent_id=self.agent_id, seq=seq, tag_id=event.tag_id, tag=event.tag, text=text
            ),
        )  # fmt: skip

    def realise(self, item: TagOpen | TagClose | TurnMessage) -> Iterable[Outgoing]:
        if self.ended.is_set():
            return
        match item:
            case AgentTurnInterrupted():
                yield from self._break_off(item)
            case AgentTurnFinished():
                yield self._numbered(item)
                self._end()
            case TurnMessage():
                yield self._numbered(item)
            case _ if self._dead:
                return
            case TagOpen():
                tag = _SentTag(item.tag, item.attrs)
                self._tags[item.tag_id] = tag
                opened = AgentTagOpen(
                    turn_id=self.turn_id, agent_id=self.agent_id, tag_id=item.tag_id, parent_id=item.parent_id,
                    tag=item.tag, attrs=item.attrs, self_closing=item.self_closing,
                )  # fmt: skip
                yield self._numbered(opened)
            case TagClose():
                self._tags[item.tag_id].closed = item.reason
                yield self._closed(item.tag_id, item.tag, item.text, item.reason)

    def quietly(self, event: TagChunk) -> None:
        """Text of a tag that is not streamed: it counts, and comes with the close."""
        if not self._dead and not self.ended.is_set():
            self._tags[event.tag_id].parts.append(event.text)

    def _break_off(self, item: AgentTurnInterrupted) -> Iterable[Outgoing]:
        left = [tag_id for tag_id, tag in self._tags.items() if not tag.closed]
        for tag_id in reversed(left):
            tag = self._tags[tag_id]
            tag.closed = "interrupted"
            yield self._closed(tag_id, tag.tag, tag.text, "interrupted")
        item.open_tag_ids = left
        yield self._numbered(item)
        self._end()

    def _closed(self, tag_id: str, tag: str, text: str, reason: Any) -> Outgoing:
        return self._numbered(
            AgentTagClose(
                turn_id=self.turn_id, agent_id=self.agent_id, tag_id=tag_id, tag=tag, text=text, reason=reason
            )
        )

    def _numbered(self, message: TurnMessage) -> TurnMessage:
        message.seq = self._seq
        self._seq += 1
        return message


class _SentTag:
    __slots__ = ("attrs", "closed", "parts", "tag")

    def __init__(self, tag: str, attrs: dict[str, Any]) -> None:
        self.tag = tag
        self.attrs = attrs
        self.parts: list[str] = []
        self.closed = ""

    @property
    def text(self) -> str:
        return "".join(self.parts)


class _Step:
    __slots__ = ("_delivery", "_item")

    def __init__(self, delivery: Delivery, item: TagOpen | TagClose | TurnMessage) -> None:
        self._delivery = delivery
        self._item = item

    def messages(self) -> Iterable[Outgoing]:
        return self._delivery.realise(self._item)


class _Chunk:
    __slots__ = ("_delivery", "event", "more")

    def __init__(self, delivery: Delivery, event: TagChunk, texts: list[str]) -> None:
        self._delivery = delivery
        self.event = event
        self.more = texts

    def messages(self) -> Iterable[Outgoing]:
        text = self.more[0] if len(self.more) == 1 else "".join(self.more)
        return self._delivery.realise_chunk(self, text)


class _Quiet:
    __slots__ = ("_delivery", "_event")

    def __init__(self, delivery: Delivery, event: TagChunk) -> None:
        self._delivery = delivery
        self._event = event

    def messages(self) -> Iterable[Outgoing]:
        self._delivery.quietly(self._event)
        return ()
