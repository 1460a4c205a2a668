"""The third node: the outcome told as streamed, tagged prose; a cued character answers in its place from its own knowledge."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from functools import partial

import msgspec

from talekeeper.agents.guard import Guard, suspicions
from talekeeper.agents.teller import NARRATOR_TAGS, VOICE_TAGS, Teller, Telling
from talekeeper.llm.tags import TagParser
from talekeeper.loops.frames import TurnRestarted
from talekeeper.loops.scene.casting import Cast
from talekeeper.loops.scene.cut_short import Stopped, cut_short
from talekeeper.loops.scene.told import GuardStepped, Told
from talekeeper.loops.scene.views import telling_of, voicing_of
from talekeeper.loops.scene.work import TurnWork, encode
from talekeeper.rules.dice import roll_seed
from talekeeper.timeline.directives import directives
from talekeeper.timeline.vocabulary import GuardActed

MOST_CUES = 2
MOST_READ = 100_000
"""Characters of one stream: a model that finds no end is left talking to itself."""
_READ_TAGS = (*NARRATOR_TAGS, "say")
"""A narrator that writes a character's line itself is understood as cueing that character."""


async def narrate(work: TurnWork) -> None:
    if work.turn.state != "resolved":
        return
    services = work.services
    telling = await services.store.read(lambda conn: telling_of(conn, work))
    asked = await _asked(work, telling)
    acts = _marked(work.action)
    for take, teller in enumerate((services.teller, services.teller, services.understudy)):
        if take:
            work.running.emit(TurnRestarted, reason="it is told once more; the dice stand")
            telling = msgspec.structs.replace(telling, seed=roll_seed(telling.seed, take))
        guard = await _guard(work, telling, asked, last_take=take > 0)
        told = Told(teller.name, Cast(telling.actor, telling.cast), guard, work.running.emit)
        told.acts += acts
        if await _tell(work, teller, telling, told):
            break
        acts = told.acts
    await work.write(prose=encode(told.prose()), state="told")


async def _tell(work: TurnWork, teller: Teller, telling: Telling, told: Told) -> bool:
    """One take; says whether it can stand."""
    stage = _Stage(work, told)
    cues = 0
    try:
        async with (
            cut_short(work.running.stopping),
            aclosing(stage.parts("n", teller.tell(telling), _READ_TAGS, "narrator")) as parts,
        ):
            async for who, about in parts:
                if cues >= MOST_CUES:
                    continue
                cues += 1
                hears = partial(voicing_of, work=work, who=who, about=about, told_so_far=told.text, cue=cues)
                voice = teller.voice(await work.services.store.read(hears))
                async with aclosing(stage.parts(f"v{cues}.", voice, VOICE_TAGS, "npc_voice", speaker=who)) as answer:
                    async for _ in answer:
                        pass
    except Stopped:
        told.complete = False
        return True
    except GuardStepped as stepped:
        return not stepped.again and bool(told.text)
    if not told.text:
        told.acts.append(GuardActed(guard="silence", action="regenerate", reason="Nothing was told."))
    return bool(told.text)


async def _asked(work: TurnWork, telling: Telling) -> list[str]:
    """What this table wants never told."""
    if not telling.directives:
        return []
    situation = await work.situation()
    given = await work.services.store.read(
        lambda conn: directives(conn, work.base_path(conn), situation.scene, situation.turn_number)
    )
    return [directive.never for directive in given if directive.never]


async def _guard(work: TurnWork, telling: Telling, asked: list[str], *, last_take: bool) -> Guard:
    revealed = {reveal.secret for reveal in telling.outcome.reveals}
    hidden = [secret for secret in (await work.situation()).secrets if secret.id not in revealed]
    said = "\n".join((telling.action, *telling.recent))
    return Guard(
        hidden, already_said=said, last_take=last_take, never=work.services.boundaries(work.world), asked=asked
    )


def _marked(action: str) -> list[GuardActed]:
    """Words that read like instructions go through, as data, and it is on record that they did."""
    return [
        GuardActed(guard="input", action="allow", reason=f"The action {why}.", excerpt=action[:80])
        for why in suspicions(action)
    ]


class _Stage:
    """Where tagged text becomes frames for the viewers and segments for the record."""

    def __init__(self, work: TurnWork, told: Told) -> None:
        self._told = told
        self._stopping = work.running.stopping

    async def parts(
        self, prefix: str, stream: AsyncIterator[str], tags: tuple[str, ...], role: str, speaker: str = ""
    ) -> AsyncGenerator[tuple[str, str], None]:
        """Plays a stream; yields each cue it gives, to be answered before the stream goes on."""
        parser = TagParser(tags, untagged="narration" if not speaker else "say", void=("cue",))
        play = partial(self._told.take, role=role, speaker=speaker, prefix=prefix)
        read = 0
        try:
            async for text in stream:
                if self._stopping.is_set():
                    raise Stopped
                for event in parser.feed(text):
                    if (cue := play(event)) is not None:
                        yield cue
                read += len(text)
                if parser.exhausted or read > MOST_READ:
                    limit = f"It did not end by itself; after {read:,} characters it was left off."
                    self._told.acts.append(GuardActed(guard="length", action="stop", reason=limit))
                    break
        except (Stopped, asyncio.CancelledError, GeneratorExit):
            # Stopped here, or while a character answered in the middle of a passage: what was shown of it stays.
            if self._stopping.is_set():
                for event in parser.finish("interrupted"):
                    play(event)
            raise
        finally:
            close = getattr(stream, "aclose", None)
            if close is not None:
                await close()
        for event in parser.finish():
            if (cue := play(event)) is not None:
                yield cue
