"""What holds of the companion whatever happens: open about what it is, inventing nobody, selling nothing."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from talekeeper.agents.companion.context import StreamContext
from talekeeper.agents.companion.hearth_lines import hearth_lines
from talekeeper.agents.companion.hearthkeeper import observe
from talekeeper.agents.companion.line import ChatLine
from talekeeper.agents.companion.policy import Decision
from talekeeper.agents.companion.steward import Command, answer, disclosure
from talekeeper.agents.companion.style import broken, faults
from talekeeper.agents.companion.warden import Flag
from talekeeper.testing.scripted_model import ScriptedModel

Say = Callable[..., ChatLine]
QUIET = Decision(True, "inactive_chat", ("Nobody has written for 15 minutes.",), 0.0)
FILES = ("angle", "goal", "topic", "title", "game", "question", "discussion", "memory", "newcomers", "general")


@pytest.mark.parametrize("name", FILES)
def test_everything_it_can_say_of_itself_passes_its_own_gate(name: str) -> None:
    subject = "Does the lamp turn by itself?" if name == "question" else "the lamp on the second landing"
    lines = [line.format(subject=subject, name="mara") for line in hearth_lines(name)]
    assert [(line, faults(line)) for line in lines if faults(line)] == []
    assert len(set(lines)) == len(lines) >= 4


@pytest.mark.parametrize("name", FILES)
def test_no_line_of_its_own_is_near_another(name: str) -> None:
    lines = [line.format(subject="Nightfall", name="mara") for line in hearth_lines(name)]
    near = [line for n, line in enumerate(lines) if "repetition" in {rule.name for rule in broken(line, lines[:n])}]
    assert near == []


def test_its_disclosure_may_always_be_said(stream: StreamContext) -> None:
    assert faults(disclosure(stream)) == ()


@pytest.mark.parametrize(
    ("claim", "rule"),
    [
        ("I am a person like you.", "human"),
        ("I'm not a bot, I promise.", "human"),
        ("I felt that one.", "human"),
        ("We viewers have seen worse.", "viewer"),
        ("I have been lurking here for years.", "viewer"),
        ("Lots of people are watching tonight.", "activity"),
        ("Everyone has been asking about the lamp.", "activity"),
        ("I missed you all so much.", "attachment"),
        ("You are not alone, I am here for you.", "attachment"),
    ],
)
async def test_no_model_can_make_it_lie(stream: StreamContext, claim: str, rule: str) -> None:
    assert rule in {found.name for found in broken(claim)}
    with ScriptedModel(claim, claim) as model:
        said = await observe(stream, QUIET, model)
    assert said is not None
    assert said.by == "rules"


async def test_every_quotation_is_something_somebody_wrote(stream: StreamContext, say: Say) -> None:
    spoken = say("I think the second keeper never wanted to leave the rock at all", "tobin")
    context = msgspec.structs.replace(stream, recent=(spoken,), dashboard=None, theme="", title="", game="")
    said = await observe(context, QUIET)
    assert said is not None
    assert said.text.split("“")[1].split("”")[0] == spoken.text
    assert "tobin" in said.text


async def test_it_names_only_people_who_spoke(stream: StreamContext, say: Say) -> None:
    with ScriptedModel("@ghost asked about the lamp.", "@mara asked about the lamp.") as model:
        heard = msgspec.structs.replace(stream, recent=(say("what about the lamp?"),))
        said = await observe(heard, QUIET, model)
    assert said is not None
    assert said.text == "@mara asked about the lamp."


async def test_whoever_asks_is_told_that_it_is_an_ai(stream: StreamContext, say: Say) -> None:
    for text in ("are you a real person?", "what are you?", "are you an ai"):
        told = await answer(Command("mention", text), say(text), stream)
        assert told is not None
        assert "an AI companion, not a person" in told


def test_the_warden_can_flag_and_nothing_else() -> None:
    assert set(Flag.__struct_fields__) == {"severity", "reason", "score", "lines"}


async def test_every_line_carries_what_its_audit_needs(stream: StreamContext) -> None:
    said = await observe(stream, QUIET)
    assert said is not None
    assert len(said.context_hash) == 24
    assert said.by in ("model", "rules")
    assert said.source in ("dashboard", "discussion", "memory", "general")
