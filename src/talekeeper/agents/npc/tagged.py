"""A performed tag as tagged text again: what a speaker writes, and what it is shown of its own past."""

from __future__ import annotations

from talekeeper.agents.npc.performance import Said
from talekeeper.agents.storyteller.markup import escape


def tagged(said: Said) -> str:
    attrs = "".join(f' {name}="{_attribute(value)}"' for name, value in said.attrs.items())
    return f"<{said.tag}{attrs}>{escape(said.text)}</{said.tag}>" if said.text else f"<{said.tag}{attrs}/>"


def _attribute(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return " ".join(escape(text).replace('"', "&quot;").split())
