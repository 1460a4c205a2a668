"""An NPC as its game describes it: who it is, how it is just now, the tags it may perform and the tools it may call."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Text = Annotated[str, Meta(max_length=100_000)]
Short = Annotated[str, Meta(max_length=2_000)]
Id = Annotated[str, Meta(min_length=1, max_length=200)]
TagName = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z][A-Za-z0-9_:.\-]*$")]
ToolName = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_\-]+$")]
Whole = Annotated[float, Meta(ge=0, le=10_000_000)]
"""A whole number. Godot reads and writes every JSON number as a float."""


class Relationship(msgspec.Struct, frozen=True):
    id: Id
    name: Short | None = None
    attitude: Short | None = None
    notes: Short | None = None


class Spec(msgspec.Struct, frozen=True):
    """What stays: the character."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    role: Short | None = None
    persona: Text | None = None
    backstory: Text | None = None
    speech_style: Text | None = None
    goals: tuple[Short, ...] | None = None
    knowledge: tuple[Text, ...] | None = None
    relationships: tuple[Relationship, ...] | None = None
    language: Short | None = None


class State(msgspec.Struct, frozen=True):
    """What changes: the moment. Beyond the mood, each game has its own shapes."""

    mood: Short | None = None
    health: Any = None
    location: Any = None
    time: Any = None
    nearby: tuple[Any, ...] | None = None
    inventory: tuple[Any, ...] | None = None
    quest_flags: Any = None
    extra: Any = None


class PromptPart(msgspec.Struct, frozen=True):
    id: Id
    role: Literal["system", "user"]
    text: str
    priority: float = 0
    cache: bool = False


class Attr(msgspec.Struct, frozen=True):
    type: Literal["string", "number", "integer", "boolean"] = "string"
    enum: tuple[str | float | bool, ...] | None = None
    required: bool = False


class TagDeclaration(msgspec.Struct, frozen=True):
    name: TagName
    stream: bool = True
    description: Short | None = None
    max_chars: Whole | None = None
    attrs: dict[Annotated[str, Meta(min_length=1, max_length=64)], Attr] | None = None

    @property
    def key(self) -> str:
        """Tags are told apart without regard to case."""
        return self.name.lower()


class ToolDeclaration(msgspec.Struct, frozen=True):
    name: ToolName
    description: Text = ""
    parameters: dict[str, Any] = msgspec.field(default_factory=dict)


class TurnLimits(msgspec.Struct, frozen=True):
    max_output_tokens: Whole | None = None
    max_tags: Whole | None = None
    timeout_ms: Whole | None = None


DEFAULT_TAGS = (
    TagDeclaration("say", True, "Words spoken aloud, without quotation marks."),
    TagDeclaration("emote", True, "A look, a gesture or a tone of voice, in a few words."),
    TagDeclaration("action", True, "Something done, in a few words."),
)


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a game told about an NPC for one turn."""

    spec: Spec
    state: State = State()
    parts: tuple[PromptPart, ...] = ()
    tags: tuple[TagDeclaration, ...] = DEFAULT_TAGS
    tools: tuple[ToolDeclaration, ...] = ()
    limits: TurnLimits = TurnLimits()


_DEEPEST = 5


def in_words(value: Any, depth: int = 0) -> str:
    """A game's own value as a person would read it: a name or id where there is one, else the value itself."""
    if depth > _DEEPEST:
        return "…"
    match value:
        case None:
            return ""
        case str():
            return " ".join(value.split())
        case bool():
            return "yes" if value else "no"
        case float() if value.is_integer():
            return str(int(value))
        case {"name": str(name)} | {"text": str(name)} | {"id": str(name)}:
            return " ".join(name.split())
        case dict():
            return ", ".join(f"{key}: {in_words(item, depth + 1)}" for key, item in value.items())
        case list() | tuple():
            return ", ".join(filter(None, (in_words(item, depth + 1) for item in value)))
    return str(value)
