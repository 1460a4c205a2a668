"""Asks a model how to weigh a free attempt. Whatever it answers, the dice and the bounds of the ladder stay ours."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import block
from talekeeper.agents.resolver.judge import Advice
from talekeeper.agents.resolver.words import clean
from talekeeper.agents.situation import Situation
from talekeeper.llm.brief import ask_briefly
from talekeeper.llm.model import Message, Model, ModelRequest
from talekeeper.rules.pack import Pack
from talekeeper.timeline.vocabulary import Verb

PATIENCE = 8.0
"""Seconds a player waits for advice before the rules decide alone."""

_MOST_EASING = 1
"""How many rungs advice may lie below the pack's own: words that talk the model round cannot win more than that."""

_LONGEST_WHY = 120
_MOST_TOKENS = 120


class _Answer(msgspec.Struct):
    verb: Verb
    stat: str
    step: str
    why: str = ""


class ModelAdviser:
    def __init__(self, model: Model, patience: float = PATIENCE) -> None:
        self._model = model
        self._patience = patience

    async def advise(self, pack: Pack, situation: Situation, text: str) -> Advice | None:
        asked = request(pack, situation, text)
        return await ask_briefly(self._model, asked, self._patience, lambda answer: _advice(pack, answer))


def request(pack: Pack, situation: Situation, text: str) -> ModelRequest:
    """What is sent: the rules first, the same every time, then the scene as anybody there sees it. No secret."""
    usual = pack.verbs["attempt"]
    return ModelRequest(
        messages=(
            Message(
                "system",
                fill(
                    "resolver_judge",
                    verbs=", ".join(get_args(Verb)),
                    stats="\n".join(f"  - {key}: {stat.about or stat.name}" for key, stat in pack.stats.items()),
                    ladder=", ".join(step.word for step in pack.ladder),
                    usual=usual.step,
                    example=msgspec.json.encode(
                        _Answer("attempt", usual.stat, usual.step, "wet stone, no light")
                    ).decode(),
                ),
            ),
            Message(
                "user", "\n\n".join(filter(None, (block("scene", *_scene(situation)), block("action", clean(text)))))
            ),
        ),
        max_tokens=_MOST_TOKENS,
        temperature=0.0,
        json_schema=_schema(pack),
        timeout=None,
    )


def _scene(situation: Situation) -> list[str]:
    place, actor = situation.place, situation.actor
    lines = [f"{actor.name}, {actor.role or 'the player’s character'}, is at {place.name}. {place.about}"]
    lines += [f"Here: {person.name}, {person.role or person.look}, {person.attitude}." for person in situation.present]
    things = [thing.name for thing in (*place.things, *actor.holds)]
    if things:
        lines.append(f"Within reach: {', '.join(things)}.")
    if situation.weather:
        lines.append(f"Weather: {situation.weather}.")
    return lines


def _schema(pack: Pack) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "verb": {"type": "string", "enum": list(get_args(Verb))},
            "stat": {"type": "string", "enum": list(pack.stats)},
            "step": {"type": "string", "enum": [step.word for step in pack.ladder]},
            "why": {"type": "string"},
        },
        "required": ["verb", "stat", "step", "why"],
        "additionalProperties": False,
    }


def _advice(pack: Pack, text: str) -> Advice:
    """The answer as advice; small models like to wrap their JSON in other words."""
    answer = msgspec.json.decode(text[max(text.find("{"), 0) : text.rfind("}") + 1], type=_Answer)
    words = [step.word for step in pack.ladder]
    if answer.stat not in pack.stats or answer.step not in words:
        raise msgspec.ValidationError(f"no such stat or step: {answer.stat!r}, {answer.step!r}")
    easiest = max(pack.rung(pack.verbs["attempt"].step) - _MOST_EASING, 0)
    step = words[max(words.index(answer.step), easiest)]
    return Advice(answer.verb, answer.stat, step, " ".join(clean(answer.why).split())[:_LONGEST_WHY])
