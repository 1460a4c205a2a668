"""The third node: the outcome told as streamed, tagged prose; a cued character answers in its place from its own knowledge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from talekeeper.agents.teller import NARRATOR_TAGS, VOICE_TAGS
from talekeeper.llm.tags import TagParser
from talekeeper.loops.scene.told import Told
from talekeeper.loops.scene.views import telling_of, voicing_of
from talekeeper.loops.scene.work import TurnWork, encode

MOST_CUES = 2


async def narrate(work: TurnWork) -> None:
    if work.turn.state != "resolved":
        return
    telling = await work.services.store.read(lambda conn: telling_of(conn, work))
    told = Told(work.services.teller.name, {person.id for person in telling.cast}, telling.actor.id)
    stage = _Stage(work, told)
    try:
        cues = 0
        async for part in stage.parts("n", work.services.teller.tell(telling), NARRATOR_TAGS, "narrator"):
            if part is None or cues >= MOST_CUES:
                continue
            cues += 1
            who, about = part
            hears = partial(voicing_of, work=work, who=who, about=about, told_so_far=told.text, cue=cues)
            stream = work.services.teller.voice(await work.services.store.read(hears))
            async for _ in stage.parts(f"v{cues}.", stream, VOICE_TAGS, "npc_voice", speaker=who):
                pass
    except _Stopped:
        told.complete = False
    await work.write(prose=encode(told.prose()), state="told")


class _Stopped(Exception):
    """The player asked to stop; what was told so far stays."""


class _Stage:
    """Where tagged text becomes frames for the viewers and segments for the record."""

    def __init__(self, work: TurnWork, told: Told) -> None:
        self._work = work
        self._told = told

    async def parts(
        self, prefix: str, stream: AsyncIterator[str], tags: tuple[str, ...], role: str, speaker: str = ""
    ) -> AsyncIterator[tuple[str, str] | None]:
        """Plays a stream; yields each cue it gives, to be answered before the stream goes on."""
        parser = TagParser(tags, untagged="narration" if not speaker else "say")
        stopping = self._work.running.stopping
        try:
            async for text in _until(stream, stopping):
                for event in parser.feed(text):
                    cue = self._play(prefix, event, role, speaker)
                    if cue is not None:
                        yield cue
        except _Stopped:
            for event in parser.finish("interrupted"):
                self._play(prefix, event, role, speaker)
            raise
        for event in parser.finish():
            cue = self._play(prefix, event, role, speaker)
            if cue is not None:
                yield cue

    def _play(self, prefix: str, event: object, role: str, speaker: str) -> tuple[str, str] | None:
        return self._told.take(event, role, speaker, prefix, self._work.running.emit)


async def _until(stream: AsyncIterator[str], stopping: asyncio.Event) -> AsyncIterator[str]:
    """The stream, cut short the moment somebody asks to stop, even while the teller is thinking."""
    stop = asyncio.ensure_future(stopping.wait())
    try:
        while True:
            following = asyncio.ensure_future(anext(stream, None))
            await asyncio.wait((following, stop), return_when=asyncio.FIRST_COMPLETED)
            if stop.done():
                following.cancel()
                await asyncio.gather(following, return_exceptions=True)
                raise _Stopped
            text = following.result()
            if text is None:
                return
            yield text
    finally:
        stop.cancel()
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
