"""A model as the voice of a game's NPCs: the sheet becomes a system text, the talk so far messages, the moment a turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from talekeeper.agents.guard.suspicion import caution
from talekeeper.agents.npc.performance import Exchange, Performance, Speaking, ToolUse
from talekeeper.agents.npc.sheet import PromptPart, Relationship, Spec, State, TagDeclaration, in_words
from talekeeper.agents.npc.stimulus import perceived
from talekeeper.agents.npc.tagged import tagged
from talekeeper.agents.prompts import fill
from talekeeper.agents.prompts.blocks import block, bullets, inline
from talekeeper.llm.model import Message, Model, ModelRequest, Tool
from talekeeper.llm.tokens import estimate_tokens

HISTORY_TOKENS = 4_000
PARTS_TOKENS = 12_000
_USUAL_LENGTH = 500


class ModelSpeaker:
    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    def speak(self, performance: Performance) -> Speaking:
        request = request_of(performance)
        return Speaking(request, self._model.stream(request))


def request_of(performance: Performance) -> ModelRequest:
    sheet = performance.sheet
    parts = _fitting(sheet.parts, PARTS_TOKENS)
    tools = sheet.tools if performance.may_call_tools else ()
    return ModelRequest(
        messages=tuple(_messages(performance, parts)),
        max_tokens=int(sheet.limits.max_output_tokens or _USUAL_LENGTH),
        tools=tuple(Tool(t.name, t.description, t.parameters or {"type": "object", "properties": {}}) for t in tools),
    )


def _messages(performance: Performance, parts: Sequence[PromptPart]) -> Iterable[Message]:
    """Never two messages of the user in a row: services refuse that, or read only one of them."""
    yield Message("system", system_text(performance, [part for part in parts if part.role == "system"]))
    kept = _recent(performance.history, HISTORY_TOKENS)
    before: Exchange | None = None
    for exchange in kept:
        if exchange.perceived:
            yield Message("user", "\n".join(filter(None, (_left_off(before), block("perceived", exchange.perceived)))))
        yield from _told(exchange)
        before = exchange
    if performance.continues:
        if performance.noticed:
            yield Message("user", block("noticed", *performance.noticed))
        return
    user_parts = [part for part in parts if part.role == "user"]
    yield Message("user", "\n\n".join(filter(None, (_left_off(before), turn_text(performance, user_parts)))))


def _told(exchange: Exchange) -> Iterable[Message]:
    calls = tuple(use.call for use in exchange.tools)
    yield Message("assistant", "".join(map(tagged, exchange.said)), tool_calls=calls)
    for use in exchange.tools:
        yield Message("tool", _result(use), tool_call_id=use.call.id)


def _result(use: ToolUse) -> str:
    return msgspec.json.encode({"ok": bool(use.ok), "content": use.content}).decode()


def _left_off(before: Exchange | None) -> str:
    if before is None:
        return ""
    if before.cut_short:
        return "(You were interrupted at this point.)"
    return "" if before.confirmed else "(It is not certain how much of this was heard.)"


def system_text(performance: Performance, parts: Sequence[PromptPart]) -> str:
    spec = performance.sheet.spec
    # What a game marks as cacheable stands first, so that a provider's prompt cache hits.
    ordered = sorted(parts, key=lambda part: (not part.cache, -part.priority, part.id))
    return fill(
        "npc_system",
        name=inline(spec.name),
        tags="\n".join(map(tag_line, performance.sheet.tags)),
        language=f"\n- Speak {inline(spec.language)}." if spec.language else "",
        character=block("character", *_character(spec)),
        parts="\n".join(block("from_the_game", part.text) for part in ordered),
    )


def tag_line(tag: TagDeclaration) -> str:
    attrs = []
    for name, attr in (tag.attrs or {}).items():
        values = "|".join(map(in_words, attr.enum)) if attr.enum else attr.type
        attrs.append(f' {inline(name)}="{inline(values)}"' + ("" if attr.required else " (optional)"))
    most = f" At most {int(tag.max_chars)} characters." if tag.max_chars is not None else ""
    return f"- <{tag.key}{''.join(attrs)}>...</{tag.key}>: {inline(tag.description or tag.key)}{most}"


def _character(spec: Spec) -> Iterable[str]:
    yield f"{spec.name}{f', {spec.role}' if spec.role else ''}."
    yield spec.persona or ""
    yield f"Past: {spec.backstory}" if spec.backstory else ""
    yield f"Speaks: {spec.speech_style}" if spec.speech_style else ""
    yield f"Wants:\n{bullets(spec.goals)}" if spec.goals else ""
    yield f"Knows:\n{bullets(spec.knowledge)}" if spec.knowledge else ""
    yield f"Ties:\n{bullets(map(_tie, spec.relationships))}" if spec.relationships else ""


def _tie(tie: Relationship) -> str:
    return ": ".join(filter(None, (tie.name or tie.id, "; ".join(filter(None, (tie.attitude, tie.notes))))))


def turn_text(performance: Performance, parts: Sequence[PromptPart]) -> str:
    stimulus, name = performance.stimulus, performance.sheet.spec.name
    event = block("event", perceived(stimulus, name))
    return fill(
        "npc_turn",
        name=inline(name),
        moment=block("moment", *_moment(performance.sheet.state)),
        feelings=block("feelings", *_feelings(performance)),
        knows=block("knows", bullets(performance.knows)),
        remembers=block("remembers", bullets(performance.remembers)),
        parts="\n".join(block("from_the_game", p.text) for p in sorted(parts, key=lambda p: (-p.priority, p.id))),
        noticed=block("noticed", *performance.noticed),
        event="\n".join(filter(None, (event, caution(stimulus.text or "")))),
    )


def _moment(state: State) -> Iterable[str]:
    for label, value in (
        ("Place", state.location), ("Time", state.time), ("Health", state.health), ("Nearby", state.nearby),
        ("Carries", state.inventory), ("Quests", state.quest_flags), ("Also", state.extra),
    ):  # fmt: skip
        if shown := in_words(value):
            yield f"{label}: {shown}"


def _feelings(performance: Performance) -> Iterable[str]:
    who = performance.stimulus.source.called
    if performance.stimulus.source.kind != "world":
        met = "has met" if performance.met_before else "has not met"
        yield f"{performance.sheet.spec.name} {met} {who} before, and is {performance.attitude} towards them."
    if performance.mood:
        yield f"Mood: {performance.mood}{f' ({performance.grievance})' if performance.grievance else ''}."


def _recent(history: Sequence[Exchange], budget: int) -> Sequence[Exchange]:
    """The newest that fit. What goes on from tool results is never parted from its call."""
    used, start = 0, len(history)
    for n in range(len(history) - 1, -1, -1):
        exchange = history[n]
        used += estimate_tokens(exchange.perceived + "".join(said.text for said in exchange.said))
        if used > budget and start < len(history):
            break
        if exchange.perceived:
            start = n
    return history[start:]


def _fitting(parts: Sequence[PromptPart], budget: int) -> list[PromptPart]:
    """By priority, as many as fit; in the game's own order."""
    left = budget
    kept: set[str] = set()
    for part in sorted(parts, key=lambda part: -part.priority):
        cost = estimate_tokens(part.text)
        if cost <= left:
            kept.add(part.id)
            left -= cost
    return [part for part in parts if part.id in kept]
