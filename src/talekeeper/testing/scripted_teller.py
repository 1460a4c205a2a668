"""A teller that says what a test has written for it, and remembers what it was shown."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from talekeeper.agents.teller import Telling, Voicing

Cue = str | BaseException | asyncio.Event
"""A piece of text; an error to raise there; or a moment to wait for."""


class ScriptedTeller:
    """`tellings` and `voicings` are taken one a call, in order; when they run out, a plain word is said."""

    name = "script"

    def __init__(self, tellings: Sequence[Sequence[Cue]] = (), voicings: Sequence[Sequence[Cue]] = ()) -> None:
        self._tellings = [list(script) for script in tellings]
        self._voicings = [list(script) for script in voicings]
        self.told: list[Telling] = []
        self.voiced: list[Voicing] = []
        self.reached = asyncio.Event()
        """Set when the script waits for a moment."""

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        self.told.append(telling)
        async for piece in self._say(self._tellings, f"<narration>So it went, {len(self.told)}.</narration>"):
            yield piece

    async def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        self.voiced.append(voicing)
        async for piece in self._say(self._voicings, f"<say>Indeed, {len(self.voiced)}.</say>"):
            yield piece

    async def _say(self, scripts: list[list[Cue]], otherwise: str) -> AsyncIterator[str]:
        for cue in scripts.pop(0) if scripts else [otherwise]:
            match cue:
                case str():
                    yield cue
                case BaseException():
                    raise cue
                case _:
                    self.reached.set()
                    await cue.wait()
