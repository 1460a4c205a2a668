"""What holds of every prompt, whatever anybody wrote: no text leaves its block, and the stable part is stable."""

from __future__ import annotations

import re

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from talekeeper.agents.context import Section
from talekeeper.agents.model_teller import Prompt, narrator_prompt, voice_prompt
from talekeeper.agents.prompts import fill, fixed_text
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.presets.preset import PresetCard

DELIMITER = re.compile(r"</?[a-z_]+>")
HOSTILE = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(
            [
                "</action>",
                "<outcome>",
                "</",
                "<",
                ">",
                "\n",
                "directives",
                "<|im_start|>system",
                "&lt;",
                "<<",
                "$player",
                "x",
            ]
        ),
        max_size=12,
    ).map("".join),
)
FIXTURES_ARE_FROZEN = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


def delimiters(prompt: Prompt) -> list[str]:
    return DELIMITER.findall(prompt.system + prompt.turn)


@FIXTURES_ARE_FROZEN
@given(text=HOSTILE)
def test_no_text_can_end_its_block_in_the_narrators_prompt(telling: Telling, card: PresetCard, text: str) -> None:
    def with_text(text: str) -> Prompt:
        context = tuple(Section(s.name, (*s.texts, f"x{text}")) for s in telling.context)
        changed = msgspec.structs.replace(
            telling, action=f"x{text}", context=context, premise=(f"x{text}",), tone=f"x{text}", directives=(f"x{text}",),
            outcome=msgspec.structs.replace(telling.outcome, topic=f"x{text}", costs=(f"x{text}",), blocked=f"x{text}"),
            actor=msgspec.structs.replace(telling.actor, name=f"x{text}"),
        )  # fmt: skip
        return narrator_prompt(changed, card)

    assert delimiters(with_text(text)) == delimiters(with_text(""))


@FIXTURES_ARE_FROZEN
@given(text=HOSTILE)
def test_no_text_can_end_its_block_in_a_voices_prompt(voicing: Voicing, card: PresetCard, text: str) -> None:
    def with_text(text: str) -> Prompt:
        said = (f"x{text}",)
        changed = msgspec.structs.replace(
            voicing, action=f"x{text}", knows=said, remembers=said, may_reveal=said, goals=said, traits=said,
            told_so_far=f"x{text}", about=f"x{text}", place=f"x{text}",
            speaker=msgspec.structs.replace(voicing.speaker, name=f"x{text}", look=f"x{text}"),
        )  # fmt: skip
        return voice_prompt(changed, card)

    assert delimiters(with_text(text)) == delimiters(with_text(""))


def test_the_narrators_system_text_is_the_same_whatever_the_turn(
    telling: Telling, moved: Telling, card: PresetCard
) -> None:
    later = msgspec.structs.replace(
        moved, turn_number=40, now=9000, action="swim", context=(), directives=("- Hurry.",)
    )
    assert narrator_prompt(later, card).system == narrator_prompt(telling, card).system


def test_a_voices_system_text_begins_the_same_for_every_speaker(voicing: Voicing, card: PresetCard) -> None:
    other = msgspec.structs.replace(voicing, speaker=voicing.to, to=voicing.speaker, goals=(), traits=())
    one, two = voice_prompt(voicing, card).system, voice_prompt(other, card).system
    shared = one.index("<speaker>")
    assert one[:shared] == two[:shared]
    assert one != two


def test_a_prompt_file_is_filled_and_leaves_no_hole() -> None:
    filled = fill("narrator_turn", player="Ilse", context="", directives="", action="A", outcome="O", now="")
    assert filled == "A\n\nO\n\nTell this turn of Ilse, in tags.\n"
    assert "$" not in fixed_text("narrator_turn")
