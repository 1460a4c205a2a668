"""A character answers from their own lines, memory and permission, and from nothing else."""

from __future__ import annotations

import msgspec
import pytest

from talekeeper.agents.situation import Person
from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import VOICE_TAGS, Voicing
from talekeeper.presets.line import read_line


@pytest.fixture
def ask(table, read_tags):
    """What `speaker` answers, as (line id, words)."""

    def asked(speaker: str, about: str, verb: str = "ask", tier: str = "success", seed: int = 1, **more: object):
        person = table.person(speaker)
        if "regard" in more:
            person = msgspec.structs.replace(person, regard=more.pop("regard"))
        voicing = Voicing(
            world="w", title="t", preset="low-water", now=980, weather="haze", place="The Otter", speaker=person,
            to=table.actor, about=about, action=str(more.pop("action", verb)),
            outcome=table.outcome(verb, tier, (speaker,), about), seed=seed, **more,
        )  # fmt: skip
        said = read_tags(table.teller.voiced(voicing), VOICE_TAGS)
        assert {(name, attrs["who"]) for name, attrs, _ in said} == {("say", speaker)}
        return [(attrs["line"], text) for _, attrs, text in said]

    return asked


def words(lines: tuple[str, ...]) -> set[str]:
    return {read_line(raw).text for raw in lines}


@pytest.mark.parametrize(
    ("regard", "attitude"), [({"trust": 60}, "warm"), ({}, "guarded"), ({"trust": -60}, "hostile")]
)
def test_an_answer_depends_on_the_speakers_attitude(table, ask, regard: dict[str, int], attitude: str) -> None:
    topic = table.preset.people["person/hester"].topics["father"]
    said = {text for seed in range(8) for _, text in ask("person/hester", "person/matthew", seed=seed, regard=regard)}
    assert said <= words(topic.lines(attitude))


def test_a_triumph_gets_a_warmer_answer_than_was_earned(table, ask) -> None:
    topic = table.preset.people["person/hester"].topics["father"]
    [(_, text)] = ask("person/hester", "person/matthew", tier="triumph")
    assert text in words(topic.warm)


def test_the_players_own_words_lead_to_a_topic(table, ask) -> None:
    [(_, text)] = ask("person/nan", "who is buried in the odd coffin")
    assert text in words(table.preset.people["person/nan"].topics["grave"].warm)


def test_a_told_topic_is_not_told_again(ask) -> None:
    used: set[str] = set()
    heard = []
    for seed in range(12):
        for line, text in ask("person/tam", "faction/works", seed=seed, used=frozenset(used)):
            assert line not in used
            used.add(line)
            heard.append(text)
    assert len(heard) == len(set(heard))


def test_what_nobody_wrote_a_line_for_is_not_known(table, ask) -> None:
    [(_, text)] = ask("person/bray", "the opera")
    assert text in words(table.teller._book("low-water").bank.says["unknown"].hostile)


def test_what_is_told_to_somebody_is_heard(table, ask) -> None:
    [(_, text)] = ask("person/tam", "I will sell my boots", verb="talk", tier="plain")
    assert text in words(table.teller._book("low-water").bank.says["heard"].guarded)


def test_a_failed_question_is_turned_aside(table, ask) -> None:
    [(_, text)] = ask("person/dorcas", "person/matthew", tier="failure")
    assert text in words(table.preset.people["person/dorcas"].deflection)


@pytest.mark.parametrize(
    ("verb", "tier", "pool"),
    [
        ("persuade", "success", "agree"), ("persuade", "failure", "refusal"), ("threaten", "success", "fear"),
        ("threaten", "disaster", "refusal"), ("deceive", "failure", "caught"), ("give", "plain", "thanks"),
        ("attack", "success", "fear"),
    ],
)  # fmt: skip
def test_each_deed_has_its_answer(table, ask, verb: str, tier: str, pool: str) -> None:
    [(_, text)] = ask("person/idris", "", verb=verb, tier=tier)
    assert text in words(getattr(table.preset.people["person/idris"], pool))


def test_a_farewell_is_answered_with_one(table, ask) -> None:
    [(_, text)] = ask("person/nan", "", verb="talk", tier="plain", action="say goodbye to Nan")
    assert text in words(table.preset.people["person/nan"].farewell)


def test_a_secret_is_told_only_with_permission_and_in_the_holders_words(table, ask) -> None:
    secret = table.preset.people["person/ambrose"].secrets[0]
    for seed in range(30):
        for _, text in ask("person/ambrose", "item/ledger", seed=seed):
            assert text not in words(secret.told)
    [(_, text)] = ask("person/ambrose", "item/ledger", may_reveal=(secret.text,))
    assert text in words(secret.told)


def test_a_secret_nobody_wrote_words_for_is_told_as_it_stands(ask) -> None:
    [(_, text)] = ask("person/bray", "", may_reveal=("Bray can read.",))
    assert "Bray can read." in text


def test_what_was_done_to_them_is_remembered(table, ask) -> None:
    bank = table.teller._book("low-water").bank
    threatened = words(bank.remembers["threat"].guarded)
    memory = ("Merrit Sloane: I threaten Hester with the law",)
    said = {
        text for seed in range(20) for _, text in ask("person/hester", "person/matthew", seed=seed, remembers=memory)
    }
    assert said & threatened


def test_what_was_done_to_another_is_not(table, ask) -> None:
    bank = table.teller._book("low-water").bank
    memory = ("Merrit Sloane: I threaten Bray", "Tam Wexcombe: I threaten Hester", "You threatened someone.")
    said = {
        text for seed in range(20) for _, text in ask("person/hester", "person/matthew", seed=seed, remembers=memory)
    }
    assert not said & words(bank.remembers["threat"].guarded)


def test_common_knowledge_fills_in_where_no_line_is_left(ask) -> None:
    fact = "The lighthouse is kept by two brothers"
    [(_, text)] = ask("person/tam", "lighthouse", knows=("Tam Wexcombe holds trust 3 towards lighthouse", fact))
    assert text.endswith(f"{fact}.")


def test_somebody_without_lines_still_answers(read_tags) -> None:
    stranger = Person("person/x", "A Stranger")
    outcome = msgspec.convert({"actor": "person/p", "verb": "ask", "tier": "plain", "targets": ["person/x"]}, type=dict)
    from talekeeper.timeline.vocabulary import OutcomeResolved

    used: set[str] = set()
    for seed in range(40):
        voicing = Voicing(
            world="w", title="t", preset="", now=0, weather="", place="Nowhere", speaker=stranger,
            to=Person("person/p", "Player"), about="the war", action="ask about the war",
            outcome=msgspec.convert(outcome, OutcomeResolved), used=frozenset(used), seed=seed,
        )  # fmt: skip
        [(name, attrs, text)] = read_tags(Storyteller().voiced(voicing), VOICE_TAGS)
        assert (name, attrs["who"]) == ("say", "person/x")
        assert text
        assert attrs["line"] not in used
        used.add(attrs["line"])
