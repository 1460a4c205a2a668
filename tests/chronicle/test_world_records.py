"""Events of a timeline become records of the sifter, and a world becomes a book."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest

from talekeeper.chronicle import AgentEvent, EventKind
from talekeeper.chronicle.book.formats import as_text
from talekeeper.chronicle.book.world_book import book_of
from talekeeper.chronicle.sifter import Sifter, all_arcs
from talekeeper.chronicle.world_drafts import batches, draft_of
from talekeeper.chronicle.world_records import WorldRecords
from talekeeper.timeline.vocabulary import (
    PUBLIC,
    ActionTaken,
    Body,
    ChatFlagged,
    ChatSaid,
    Claim,
    DeedDone,
    Event,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    OutcomeResolved,
    ProposalDecided,
    Reveal,
    SceneOpened,
    SecretTold,
    WorldCreated,
)

Happen = Callable[..., Event]
MARA, ODO = "person/mara", "person/odo"


@pytest.fixture
def happen() -> Happen:
    """happen(body, minute=5) - events of one timeline, numbered as they come."""
    numbers = itertools.count(1)

    def build(body: Body, minute: int | None = None, kind: str = "", scene: str = "t1/s1", **more: object) -> Event:
        seq = next(numbers)
        at = 1_793_782_800.0 + seq * 60
        place = {"world": "harbour", "timeline": "t1", "seq": seq, "at": at, "scene": scene, "story_time": minute}
        return Event(kind=kind or body.kind, by="narrator", body=body, **place, **more)

    return build


def accepted(*claims: Claim) -> ProposalDecided:
    return ProposalDecided(decision="accepted", role="narrator", claims=claims)


NAMES = accepted(
    Claim(MARA, "name", "Mara Quill"), Claim(ODO, "name", "Odo"), Claim("faction/lamp", "name", "the Lamp Guild")
)


def told(events: list[Event]) -> dict[str, str]:
    sifter, records = Sifter(all_arcs()), WorldRecords()
    changes = [change for record in records.records(events) for change in sifter.push(record)]
    return {change.arc: change.told.sentence() for change in changes if change.told}


def outcome(actor: str, verb: str, *targets: str, tier: str = "success", **more: object) -> OutcomeResolved:
    return OutcomeResolved(actor=actor, verb=verb, tier=tier, targets=targets, **more)


def test_a_betrayal_and_a_revenge_between_people_with_names(happen: Happen):
    arcs = told(
        [
            happen(NAMES),
            happen(outcome(ODO, "give", MARA)),
            happen(outcome(ODO, "attack", MARA)),
            happen(outcome(MARA, "attack", ODO)),
        ]
    )
    assert arcs["betrayal"].startswith("Odo had stood by Mara Quill, and betrayed that trust")
    assert arcs["revenge"].startswith("Odo had wronged Mara Quill")


def test_what_failed_harmed_nobody(happen: Happen):
    assert "betrayal" not in told(
        [happen(outcome(ODO, "give", MARA)), happen(outcome(ODO, "attack", MARA, tier="failure"))]
    )


@pytest.mark.parametrize(("verb", "arc"), [("defend", "oath_kept"), ("deceive", "oath_broken")])
def test_an_oath_is_kept_or_broken_by_what_follows(happen: Happen, verb: str, arc: str):
    sworn = happen(LineSpoken(speaker=ODO, to=MARA, text="I swear I will guard your lamp."))
    arcs = told([happen(NAMES), sworn, happen(outcome(ODO, verb, MARA))])
    assert arcs[arc].startswith("Odo swore it")


def test_regard_that_falls_and_rises_again_is_a_reconciliation(happen: Happen):
    def trust(value: int) -> Event:
        return happen(accepted(Claim(MARA, "trust", value, slot=ODO)))

    arcs = told([happen(NAMES), trust(20), trust(-40), trust(-20), trust(10)])
    assert "reconciliation" in arcs


def test_the_rise_and_fall_of_a_faction_follows_its_clock(happen: Happen):
    clock = [happen(accepted(Claim("faction/lamp", "clock", value))) for value in (1, 3, 5, 4, 2)]
    assert told([happen(NAMES), *clock])["rise_and_fall"].startswith("the Lamp Guild rose 2 times")


def test_a_mentor_who_dies(happen: Happen):
    lesson = happen(LineSpoken(speaker=ODO, to=MARA, text="Let me show you how a wick is trimmed."))
    death = happen(accepted(Claim(ODO, "status", "dead, drowned at the weir")))
    assert told([happen(NAMES), lesson, death])["mentors_death"].startswith("Odo had taught Mara Quill")


def test_a_secret_revealed(happen: Happen):
    reveal = Reveal(secret="bell", holder=ODO, text="The bell is under the weir.", to=(MARA,))
    arcs = told([happen(NAMES), happen(outcome(MARA, "search", reveals=(reveal,)))])
    assert "What Odo had kept hidden came out through Mara Quill" in arcs["secret_revealed"]
    learned = happen(SecretTold(secret="bell", teller=ODO, to=(MARA,), text="Under the weir."))
    shouted = happen(SecretTold(secret="bell", teller=MARA, to=(ODO,), text="Under the weir!"), witnesses=PUBLIC)
    assert "secret_revealed" in told([learned, shouted])


def test_a_homecoming_is_counted_on_the_worlds_own_clock(happen: Happen):
    day = 24 * 60
    walk = [(0, "place/weir"), (10, "place/moor"), (10 + 8 * day, "place/weir")]
    moves = [happen(accepted(Claim(MARA, "at", place)), minute) for minute, place in walk]
    assert told([happen(NAMES), *moves])["homecoming"].startswith("Mara Quill had left weir and came home after 8 days")
    quick = [
        happen(accepted(Claim(MARA, "at", place)), minute)
        for minute, place in [(0, "place/a"), (10, "place/b"), (90, "place/a")]
    ]
    assert "homecoming" not in told(quick)


def test_a_stream(happen: Happen):
    chat = [happen(ChatSaid(session="s1", message=str(n), name=name, text="quack!")) for n, name in enumerate("abcd")]
    assert "running_joke" in told(chat)
    flags = [happen(ChatFlagged(session="s1", message="m", severity="high", reason="spam")) for _ in range(3)]
    records = list(WorldRecords().records([*chat, *flags, *chat]))
    assert [record.kind for record in records[:2]] == ["chat_said", "chat_first"]
    assert [record.kind for record in records].count("chat_first") == 4


def test_an_agents_event_goes_into_a_world_and_comes_back_the_same(happen: Happen):
    event = AgentEvent(
        EventKind.ERROR, "mara", "red", 5.0, {"id": "x1", "task": "#7", "odd": [1], "big": 2**80, "n": 3}
    )
    draft = draft_of(event)
    assert (draft.kind, draft.at, draft.idem, draft.witnesses) == ("fleet.error", 5.0, "fleet:x1", PUBLIC)
    (record,) = WorldRecords().of(happen(draft.body, kind=draft.kind))
    assert (record.id, record.kind, record.keys["agent"], record.keys["task"]) == ("t1@1", "error", "mara", "#7")
    assert record.fields["n"] == 3
    assert "odd" not in record.fields
    assert [len(batch) for batch in batches([event] * 7, size=3)] == [3, 3, 1]


class TestBook:
    @pytest.fixture
    def events(self, happen: Happen) -> list[Event]:
        return [
            happen(WorldCreated(title="Low Water", seed=1)),
            happen(NAMES),
            happen(accepted(Claim(ODO, "role", "keeper of the weir"), Claim("place/weir", "name", "The Weir"))),
            happen(SceneOpened(scene="t1/s1", place="place/weir", participants=(MARA, ODO))),
            happen(NarrationTold(text="The water was low.\n\nIt had been low for weeks.")),
            happen(ActionTaken(actor=MARA, text="look at the <weir>")),
            happen(NarrationTold(text="A slip of the pen.")),
            happen(NarrationEdited(event="t1@7", text="The gate stood open.")),
            happen(LineSpoken(speaker=ODO, to=MARA, text="Mind the step.")),
            happen(DeedDone(actor=ODO, text="Odo held the lamp.")),
            happen(SceneOpened(scene="t1/s2", title="Night", participants=(MARA,)), scene="t1/s2"),
            happen(outcome(ODO, "give", MARA), scene="t1/s2"),
            happen(outcome(ODO, "attack", MARA), scene="t1/s2"),
            happen(NarrationTold(text="It grew dark."), scene="t1/s2"),
        ]

    def test_a_chapter_for_each_scene_with_what_was_told_in_it(self, events: list[Event]):
        book = book_of(events, "Low Water")
        assert [chapter.title for chapter in book.chapters] == ["The Weir", "Night"]
        assert [paragraph[0].text for paragraph in book.chapters[0].paragraphs] == [
            "The water was low.",
            "It had been low for weeks.",
            "— Mara Quill: look at the <weir>",
            "The gate stood open.",
            "“Mind the step.”, said Odo.",
            "Odo held the lamp.",
        ]
        assert book.chapters[0].opening.text == "With Mara Quill and Odo."

    def test_a_correction_carries_both_events(self, events: list[Event]):
        assert book_of(events, "x").chapters[0].paragraphs[3][0].ids == ("t1@7", "t1@8")

    def test_the_arcs_stand_where_they_ended_and_the_people_have_roles(self, events: list[Event]):
        book = book_of(events, "x")
        assert [arc.name for arc in book.chapters[1].arcs] == ["betrayal"]
        assert "Odo, keeper of the weir" in [person.sentence.text.partition(";")[0] for person in book.persons]

    def test_it_has_every_form(self, events: list[Event]):
        book = book_of(events, "Low Water")
        assert "&lt;weir&gt;" in as_text(book, "html")
        assert "The gate stood open" in as_text(book, "md")

    def test_a_sequel_begins_where_the_reader_stopped(self, events: list[Event]):
        sequel = book_of(events, "Low Water", since=events[10].at)
        assert [chapter.title for chapter in sequel.chapters] == ["Night"]
        assert sequel.previously[0].text == "Before that came The Weir."
        assert all(mark.at >= events[10].at for mark in sequel.marks)
        assert book_of(events, "x", since=events[-1].at + 1).chapters == ()

    def test_a_world_in_which_nothing_was_told(self):
        assert book_of([], "Nothing").chapters == ()

    def test_a_fleets_world_is_a_chronicle_of_its_work(self, happen: Happen):
        drafts = [draft_of(AgentEvent(EventKind.COMMIT, "mara", f"work {n}", 1_793_782_800.0 + n)) for n in range(3)]
        book = book_of([happen(draft.body, kind=draft.kind) for draft in drafts], "Fleet")
        assert "3 commits" in book.subtitle
