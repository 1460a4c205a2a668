"""A model as a teller: prompts out, tagged text back as it comes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from talekeeper.agents.model_teller.narrator_prompt import narrator_prompt
from talekeeper.agents.model_teller.prompt import Prompt, find_card
from talekeeper.agents.model_teller.repetition import Repetition
from talekeeper.agents.model_teller.voice_prompt import voice_prompt
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.llm.model import Model, ModelRequest

NARRATOR_TOKENS, VOICE_TOKENS = 1600, 800
BRIEF_NARRATOR_TOKENS, BRIEF_VOICE_TOKENS = 160, 60
_SPOKEN = frozenset({"talk", "ask", "persuade", "threaten", "deceive"})


class ModelTeller:
    """The narrator and the characters may be told by different models. `brief` is for models that follow little."""

    def __init__(self, narrator: Model, voice: Model | None = None, *, brief: bool = False) -> None:
        self._narrator = narrator
        self._voice = voice or narrator
        self._brief = brief

    @property
    def name(self) -> str:
        voices = "" if self._voice.name == self._narrator.name else f" (voices: {self._voice.name})"
        return f"{self._narrator.name}{voices}"

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        prompt = narrator_prompt(telling, find_card(telling.preset), brief=self._brief)
        most = BRIEF_NARRATOR_TOKENS if self._brief else NARRATOR_TOKENS
        tail, cued = "", False
        async with aclosing(_stream(self._narrator, prompt, most)) as texts:
            async for text in texts:
                tail = tail[-4:] + text
                cued = cued or "<cue" in tail or "<say" in tail
                yield text
        if not cued:
            yield _cue(telling)

    async def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        prompt = voice_prompt(voicing, find_card(voicing.preset), brief=self._brief)
        most = BRIEF_VOICE_TOKENS if self._brief else VOICE_TOKENS
        async with aclosing(_stream(self._voice, prompt, most)) as texts:
            async for text in texts:
                yield text


def _cue(telling: Telling) -> str:
    """Small models forget that whoever was spoken to should answer."""
    outcome = telling.outcome
    if outcome.verb not in _SPOKEN or outcome.tier == "blocked":
        return ""
    spoken_to = next((person.id for person in telling.cast if person.id in outcome.targets), "")
    return f'<cue who="{spoken_to}"/>' if spoken_to else ""


async def _stream(model: Model, prompt: Prompt, max_tokens: int) -> AsyncGenerator[str, None]:
    repetition = Repetition()
    async with aclosing(model.stream(ModelRequest(messages=prompt.messages, max_tokens=max_tokens))) as deltas:
        async for delta in deltas:
            if delta.text:
                yield delta.text
                if repetition.goes_on(delta.text):
                    return
