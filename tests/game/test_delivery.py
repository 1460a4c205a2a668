"""A turn on the wire: what is still waiting when it is interrupted was never said."""

from __future__ import annotations

import asyncio

import pytest

from talekeeper.doors.game.delivery import Delivery
from talekeeper.doors.game.wire import Wire
from talekeeper.llm.tags import TagChunk, TagClose, TagOpen


class Sink:
    """A client that reads only when it is let."""

    def __init__(self) -> None:
        self.sent = []
        self.reads = asyncio.Event()
        self.wire = Wire(self._send, asyncio.get_running_loop().time, self.sent.append)

    async def _send(self, message) -> None:
        await self.reads.wait()

    def told(self):
        return [(type(m).__name__, m.seq, getattr(m, "text", None)) for m in self.sent]


@pytest.fixture
async def sink():
    sink = Sink()
    running = asyncio.create_task(sink.wire.run())
    yield sink
    sink.wire.finish()
    sink.reads.set()
    await running


def begin(sink, streamed=("say",)):
    delivery = Delivery(sink.wire, "t1", "mara", frozenset(streamed))
    delivery.start("e1", "scripted", "interaction")
    delivery.show(TagOpen("1", None, "say", {}, False))
    return delivery


async def test_what_waits_is_purged_and_the_numbers_have_no_gap(sink):
    delivery = begin(sink)
    delivery.show(TagChunk("1", "say", "never read"))
    await asyncio.sleep(0)
    delivery.interrupt("superseded", "e2")
    sink.reads.set()
    await delivery.ended.wait()
    await asyncio.sleep(0)
    assert sink.told() == [("AgentTurnStarted", 0, None), ("AgentTurnInterrupted", 1, None)]
    assert sink.sent[-1].open_tag_ids == []
    assert delivery.said() == ()


async def test_a_close_says_exactly_what_was_sent(sink):
    delivery = begin(sink)
    sink.reads.set()
    delivery.show(TagChunk("1", "say", "heard "))
    await asyncio.sleep(0.001)
    delivery.show(TagChunk("1", "say", "gathered, and lost"))
    delivery.interrupt("superseded", "e2")
    await delivery.ended.wait()
    await asyncio.sleep(0)
    assert sink.told()[-2:] == [("AgentTagClose", 3, "heard "), ("AgentTurnInterrupted", 4, None)]
    assert [said.text for said in delivery.said()] == ["heard "]


async def test_chunks_join_while_they_wait(sink):
    delivery = begin(sink)
    for n in range(50):
        delivery.show(TagChunk("1", "say", f"{n} "))
    delivery.show(TagClose("1", "say", "".join(f"{n} " for n in range(50)), "closed"))
    sink.reads.set()
    await asyncio.sleep(0.01)
    chunks = [text for name, _, text in sink.told() if name == "AgentTagChunk"]
    assert len(chunks) == 1
    assert chunks[0] == "".join(f"{n} " for n in range(50))


async def test_chunks_of_two_tags_never_mix(sink):
    delivery = begin(sink, ("say", "emote"))
    sink.reads.set()
    delivery.show(TagChunk("1", "say", "a"))
    delivery.show(TagChunk("1", "say", "b"))
    delivery.show(TagOpen("2", "1", "emote", {}, False))
    delivery.show(TagChunk("2", "emote", "c"))
    delivery.show(TagChunk("2", "emote", "d"))
    delivery.show(TagClose("2", "emote", "cd", "closed"))
    delivery.show(TagChunk("1", "say", "e"))
    delivery.show(TagClose("1", "say", "abe", "closed"))
    await asyncio.sleep(0.01)
    chunks = [(m.tag_id, m.text) for m in sink.sent if type(m).__name__ == "AgentTagChunk"]
    assert "".join(text for tag, text in chunks if tag == "1") == "abe"
    assert "".join(text for tag, text in chunks if tag == "2") == "cd"
    assert [m.seq for m in sink.sent] == list(range(len(sink.sent)))


async def test_nothing_is_sent_after_the_end(sink):
    delivery = begin(sink)
    sink.reads.set()
    delivery.interrupt("client_cancel", None)
    delivery.show(TagChunk("1", "say", "late"))
    await delivery.ended.wait()
    await asyncio.sleep(0.03)
    assert sink.told()[-1][0] == "AgentTurnInterrupted"


async def test_a_lost_connection_ends_the_wait(sink):
    delivery = begin(sink)
    await asyncio.sleep(0)
    sink.wire.abandon()
    await asyncio.wait_for(delivery.ended.wait(), 1)
    assert delivery.said() == ()
