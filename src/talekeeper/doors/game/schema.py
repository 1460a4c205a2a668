"""The protocol as JSON Schema, for game engines and their tools."""

from __future__ import annotations

from typing import Any

import msgspec

from talekeeper.doors.game.incoming import VERSION, Incoming
from talekeeper.doors.game.outgoing import AnyOutgoing, TurnMessage

_CLIENT = tuple(Incoming.__subclasses__())
_SERVER = tuple(kind for kind in AnyOutgoing.__args__ if kind is not TurnMessage)


def json_schema() -> dict[str, Any]:
    """One document: every message under `$defs`, and which side sends which."""
    shapes, definitions = msgspec.json.schema_components([*_CLIENT, *_SERVER], ref_template="#/$defs/{name}")
    sent = shapes[: len(_CLIENT)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The Talekeeper game protocol",
        "version": VERSION,
        "description": "Messages over the WebSocket /ws, one JSON object in each text frame.",
        "client": {"anyOf": list(sent)},
        "server": {"anyOf": list(shapes[len(_CLIENT) :])},
        "anyOf": list(shapes),
        "$defs": definitions,
    }
