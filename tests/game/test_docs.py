"""docs/game.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from talekeeper.agents.npc.sheet import Attr, PromptPart, Relationship, Spec, State, TagDeclaration, TurnLimits
from talekeeper.agents.npc.stimulus import Kind, Source, Stimulus
from talekeeper.app.settings import Settings, names_of
from talekeeper.doors.game.incoming import Incoming
from talekeeper.doors.game.limits import Limits
from talekeeper.doors.game.outgoing import AnyOutgoing, Code, InterruptReason
from talekeeper.loops.npc_turn.perform import StopReason

TEXT = (Path(__file__).parents[2] / "docs" / "game.md").read_text(encoding="utf-8")
MESSAGES = [*Incoming.__subclasses__(), *AnyOutgoing.__args__]


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.__name__)
def test_every_message_and_field_is_described(kind):
    row = re.search(rf"^\| `{kind.__struct_config__.tag}` \|(.*)$", TEXT, re.MULTILINE)
    if kind.__name__ == "Pong":
        assert "`pong`" in TEXT
        return
    assert row is not None
    for field in set(kind.__struct_fields__) - {"v", "id", "ts"}:
        assert f"`{field}" in row[1], field


@pytest.mark.parametrize(
    "shape", [Spec, State, PromptPart, TagDeclaration, Attr, TurnLimits, Relationship, Stimulus, Source]
)
def test_every_field_of_a_shape_is_named(shape):
    for field in shape.__struct_fields__:
        assert re.search(rf"\b{field}\b", TEXT), field


@pytest.mark.parametrize("words", [Code, InterruptReason, StopReason, Kind])
def test_every_word_of_a_list_is_named(words):
    for word in get_args(words):
        assert f"`{word}`" in TEXT


def test_the_settings_are_real():
    known = {name for field in Settings.model_fields for name in names_of(field)}
    named = set(re.findall(r"`((?:TALEKEEPER|LLM|SOCKET|ACTIVE|CORS)_[A-Z_]+)`", TEXT))
    assert named <= known


def test_the_limits_are_those_of_the_code():
    limits = Limits()
    for said in (
        f"{limits.events_per_second:g} a second on average, {limits.events_at_once} at once",
        f"| answer to `get_agent_state` | {limits.state_seconds:g} seconds |",
        f"| a turn | {limits.turn_seconds:g} seconds",
        f"given up after {limits.send_seconds:g} seconds",
        f"within {limits.result_seconds:g} seconds",
        f"| agents on a connection | {limits.agents:,} |",
    ):
        assert said in TEXT, said
