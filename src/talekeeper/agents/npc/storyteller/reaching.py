"""Using what the game declared: attributes of a tag, and a tool, filled from what was said as far as it goes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from talekeeper.agents.npc.hearing import telling_words
from talekeeper.agents.npc.performance import Performance
from talekeeper.agents.npc.sheet import Attr, TagDeclaration, ToolDeclaration
from talekeeper.llm.model import ToolCall

_FEELINGS = {
    "warm": ("happy", "smile", "joy", "friendly", "warm", "pleased", "glad"),
    "guarded": ("neutral", "calm", "idle", "thinking", "normal", "none"),
    "hostile": ("angry", "anger", "mad", "hostile", "rage", "furious", "cold"),
    "annoyed": ("annoyed", "angry", "irritated", "frown", "sad", "upset", "neutral"),
}


def attributes(tag: TagDeclaration, performance: Performance, feeling: str) -> dict[str, str] | None:
    """Values for what the tag asks for; None when one is required that nobody can guess."""
    filled: dict[str, str] = {}
    for name, attr in (tag.attrs or {}).items():
        value = _attribute(name, attr, performance, feeling)
        if value:
            filled[name] = value
        elif attr.required:
            return None
    return filled


def _attribute(name: str, attr: Attr, performance: Performance, feeling: str) -> str:
    if attr.enum:
        choices = [str(choice) for choice in attr.enum]
        said = telling_words(performance.stimulus.text or "")
        felt = [choice for wish in _FEELINGS[feeling] for choice in choices if wish in choice.lower()]
        meant = [choice for choice in choices if telling_words(choice) & said]
        return (meant or felt or (choices if attr.required else [""]))[0]
    if name.lower() in ("to", "target", "who", "whom", "at", "addressee", "listener"):
        return performance.stimulus.source.id
    if name.lower() in ("item", "object", "thing"):
        return performance.stimulus.item
    if not attr.required:
        return ""
    return {"number": "1", "integer": "1", "boolean": "true"}.get(attr.type, "")


def wanted_tag(tags: Iterable[TagDeclaration], performance: Performance) -> TagDeclaration | None:
    """A tag of the game's own that the words ask for: `open_shop` when somebody says "open the shop"."""
    said = telling_words(performance.stimulus.text or "")
    for tag in tags:
        name = telling_words(tag.key.replace("_", " ").replace("-", " "))
        if name and name <= said:
            return tag
    return None


def wanted_tool(performance: Performance) -> ToolCall | None:
    """The tool whose name is in the words, or most of whose description is."""
    if not performance.may_call_tools or performance.continues:
        return None
    said = telling_words(performance.stimulus.text or "")
    best: tuple[int, ToolDeclaration] | None = None
    for tool in performance.sheet.tools:
        name = telling_words(tool.name.replace("_", " ").replace("-", " "))
        shared = len(said & name) * 2 + len(said & telling_words(tool.description))
        asked = bool(name and name <= said) or shared >= 3
        if asked and (best is None or shared > best[0]):
            best = (shared, tool)
    if best is None:
        return None
    tool = best[1]
    arguments = {name: value for name, value in _arguments(tool, performance) if value is not None}
    return ToolCall(f"call-{performance.seed & 0xFFFFFFFF:08x}", tool.name, msgspec.json.encode(arguments).decode())


def _arguments(tool: ToolDeclaration, performance: Performance) -> Iterable[tuple[str, Any]]:
    properties = tool.parameters.get("properties")
    if not isinstance(properties, dict):
        return
    text = performance.stimulus.text or ""
    for name, schema in properties.items():
        schema = schema if isinstance(schema, dict) else {}
        yield name, _argument(schema, text, tool)


def _argument(schema: dict[str, Any], text: str, tool: ToolDeclaration) -> Any:
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        said = telling_words(text)
        return next((choice for choice in choices if telling_words(str(choice)) & said), choices[0])
    match schema.get("type"):
        case "integer" | "number":
            return next((int(word) for word in text.split() if word.isdigit()), 1)
        case "boolean":
            return True
        case "string":
            about = telling_words(f"{tool.name.replace('_', ' ')} {tool.description}")
            words = [word.strip(".,!?;:'\"") for word in text.split()]
            return " ".join(word for word in words if telling_words(word) - about) or text
    return None
