"""The sifter: patterns in, stories out, one event at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talekeeper.chronicle.sifter import Change, Record, Sifter, arc, arcs, other_than, parse_patterns
from talekeeper.errors import BadInput

DAY = 86400.0

siege = (
    arc("long_siege", key=("agent", "task"))
    .step("blow", kind="error", times=(3, None))
    .step("win", kind={"recovery", "pr_merge"})
    .unless("abandon", between=("blow", "win"))
    .within(days=7)
    .tell("{agent} was beaten back {blow.count} times on {task} before {win.detail}.")
)

Make = Callable[..., Record]


@pytest.fixture
def rec() -> Make:
    """rec("error", "mara", "#1", day=2) - each record a minute after the one before."""
    numbers = itertools.count(1)

    def build(kind: str, agent: str = "mara", task: str = "#1", day: float = 0.0, **fields: object) -> Record:
        number = next(numbers)
        return Record(
            f"e{number}", kind, day * DAY + number * 60, {"agent": agent, "task": task, "place": "fleet"}, fields
        )

    return build


def pushed(sifter: Sifter, *records: Record) -> list[Change]:
    return [change for record in records for change in sifter.push(record)]


def completed(sifter: Sifter, *records: Record) -> list[str]:
    return [change.arc for change in pushed(sifter, *records) if change.what == "completed"]


def test_a_siege_from_its_first_blow_to_its_end(rec: Make):
    sifter = Sifter([siege])
    changes = pushed(sifter, rec("error"), rec("error"), rec("error"), rec("recovery", detail="green at last"))
    assert [(change.what, change.arc, change.key) for change in changes] == [
        ("advanced", "long_siege", ("mara", "#1")),
        ("advanced", "long_siege", ("mara", "#1")),
        ("advanced", "long_siege", ("mara", "#1")),
        ("completed", "long_siege", ("mara", "#1")),
    ]
    assert [change.ids for change in changes] == [("e1",), ("e1", "e2"), ("e1", "e2", "e3"), ("e1", "e2", "e3", "e4")]
    told = changes[-1].told
    assert told is not None
    assert told.sentence() == "mara was beaten back 3 times on #1 before “green at last”."


def test_what_must_not_come_between_breaks_it(rec: Make):
    sifter = Sifter([siege])
    changes = pushed(sifter, rec("error"), rec("error"), rec("error"), rec("abandon"), rec("recovery"))
    assert [change.what for change in changes] == ["advanced", "advanced", "advanced", "broken"]
    assert changes[-1].ids == ("e1", "e2", "e3", "e4")


def test_a_deadline_expires_whoever_moves_the_clock(rec: Make):
    sifter = Sifter([siege])
    pushed(sifter, rec("error"), rec("error"))
    changes = pushed(sifter, rec("heartbeat", "odo", "#9", day=9))
    assert [(change.what, change.ids) for change in changes] == [("expired", ("e1", "e2"))]
    assert completed(sifter, rec("error", day=9), rec("recovery", day=9)) == []


def test_a_deadline_is_exact_for_the_event_that_comes_too_late(rec: Make):
    sifter = Sifter([siege])
    pushed(sifter, rec("error"), rec("error"), rec("error"))
    assert [change.what for change in pushed(sifter, rec("recovery", day=7.001))] == ["expired"]


def test_threads_do_not_mix(rec: Make):
    sifter = Sifter([siege])
    assert completed(sifter, rec("error"), rec("error"), rec("error", task="#2"), rec("recovery")) == []
    assert completed(sifter, rec("error", "odo"), rec("error"), rec("recovery")) == ["long_siege"]


def test_a_record_without_the_key_is_left_alone():
    sifter = Sifter([siege])
    assert sifter.push(Record("x", "error", 1.0, {"agent": "mara"})) == []


def test_what_is_open_the_furthest_first(rec: Make):
    sifter = Sifter([siege])
    pushed(sifter, rec("error", "odo"), rec("error"), rec("error"))
    first, second = sifter.open()
    assert (first.key, first.ids) == (("mara", "#1"), ("e2", "e3"))
    assert first.progress > second.progress
    assert len(sifter.open(limit=1)) == 1


class TestWhyNot:
    def test_still_open(self, rec: Make):
        sifter = Sifter([siege])
        pushed(sifter, rec("error"), rec("error"))
        answer = sifter.why_not("long_siege", key="#1")
        assert answer.state == "open"
        assert "1 more of blow (error)" in answer.text
        assert "6 days are left" in answer.text
        assert answer.ids == ("e1", "e2")

    def test_broken(self, rec: Make):
        sifter = Sifter([siege])
        pushed(sifter, rec("error"), rec("abandon"))
        answer = sifter.why_not("long_siege", key=("mara", "#1"))
        assert (answer.state, answer.ids) == ("broken", ("e1", "e2"))
        assert "then came e2" in str(answer)

    def test_expired(self, rec: Make):
        sifter = Sifter([siege])
        pushed(sifter, rec("error"), rec("idle", day=30))
        assert sifter.why_not("long_siege", key="#1").state == "expired"

    def test_told(self, rec: Make):
        sifter = Sifter([siege])
        pushed(sifter, rec("error"), rec("error"), rec("error"), rec("recovery"))
        assert sifter.why_not("long_siege", key="#1").state == "told"

    def test_never_begun(self, rec: Make):
        answer = Sifter([siege]).why_not("long_siege", key="#42")
        assert answer.state == "unseen"
        assert "blow (error)" in answer.text

    def test_the_event_that_would_have_been(self, rec: Make):
        sifter = Sifter(arcs("fleet"))
        pushed(sifter, rec("dispatch"), rec("dispatch", "odo"), rec("pr_open", "zoe"))
        answer = sifter.why_not("handoff", key="#1")
        assert "e3 would have been carried, but it asks that agent is the same as in passed" in answer.text

    def test_an_arc_nobody_knows(self):
        with pytest.raises(BadInput, match="no arc 'x'"):
            Sifter([siege]).why_not("x", key="#1")


def test_an_arc_is_told_once_even_when_the_events_come_again(rec: Make):
    story = [rec("error"), rec("error"), rec("error"), rec("recovery")]
    first = Sifter([siege])
    assert completed(first, *story) == ["long_siege"]
    assert completed(first, *story) == []
    assert completed(Sifter([siege], told=first.told), *story) == []
    assert completed(Sifter([siege]), *story) == ["long_siege"]


def test_an_open_ended_last_step_goes_on_after_it_is_told(rec: Make):
    grind = (
        arc("grind", key="agent")
        .step("work", kind="commit", times=(3, None))
        .within(days=1)
        .tell("{work.count} by {agent}")
    )
    sifter = Sifter([grind])
    changes = pushed(sifter, *(rec("commit") for _ in range(100)))
    (told,) = [change.told for change in changes if change.told]
    assert told.sentence() == "100 by mara"
    assert len(told.ids) == 64
    assert completed(sifter, *(rec("commit", day=3) for _ in range(3))) == ["grind"]


def test_the_newest_first_event_begins_the_tightest_arc(rec: Make):
    pair = arc("pair", key="task").step("one", kind="a").step("two", kind="b").within(days=1)
    sifter = Sifter([pair])
    pushed(sifter, rec("a"), rec("a", day=0.9))
    assert [change.ids for change in pushed(sifter, rec("b", day=1.5))] == [("e2", "e3")]


def test_conditions_on_fields(rec: Make):
    picky = (
        arc("picky", key="task")
        .step("one", kind="*", where={"severity": ["high", "critical"], "load": {"at_least": 3}})
        .step("two", kind="*", where={"agent": other_than("one"), "load": {"at_most": 1}, "colour": {"none_of": "red"}})
        .step("three", kind="*", where={"agent": "mara"})
    )
    sifter = Sifter([picky])
    assert pushed(sifter, rec("x", severity="low", load=9), rec("x", severity="high"), rec("x", load=9)) == []
    good = rec("x", severity="high", load=3)
    assert completed(
        sifter, good, rec("x", load=1), rec("x", "odo", load=1, colour="red"), rec("x", "odo", load=0), rec("x")
    ) == ["picky"]


def test_distinct_and_among(rec: Make):
    crowd = arc("crowd", key="task").step("came", kind="join", times=3, distinct="agent")
    assert completed(Sifter([crowd]), rec("join"), rec("join"), rec("join", "odo"), rec("join", "zoe")) == ["crowd"]
    pair = arc("pair", key="task").step("did", kind="join", times=(2, None)).among(agent=2)
    assert completed(Sifter([pair]), rec("join"), rec("join"), rec("join")) == []
    assert completed(Sifter([pair]), rec("join"), rec("join"), rec("join", "odo")) == ["pair"]


def test_an_arc_of_one_event(rec: Make):
    assert completed(Sifter([arc("one", key="task").step("it", kind="milestone")]), rec("milestone")) == ["one"]


def test_memory_is_bounded(rec: Make):
    sifter = Sifter(arcs("fleet"), most_open=100)
    for number in range(5000):
        sifter.push(rec("error", f"agent-{number}", f"#{number}"))
        sifter.push(rec("dispatch", f"agent-{number}", f"#{number}"))
    by_arc: dict[str, int] = {}
    for open_arc in sifter.open():
        by_arc[open_arc.pattern.name] = by_arc.get(open_arc.pattern.name, 0) + 1
    assert max(by_arc.values()) <= 100


class TestRanking:
    def test_the_rare_comes_before_the_usual(self, rec: Make):
        sifter = Sifter(arcs("fleet"))
        for number in range(50):
            pushed(sifter, rec("error", "mara", f"#{number}"), rec("recovery", "mara", f"#{number}"))
        pushed(sifter, rec("error", "odo", "#99"), rec("recovery", "zoe", "#99"))
        assert sifter.rank(2)[0].name == "rescue"

    def test_high_stakes_count(self, rec: Make):
        sifter = Sifter([siege, arc("small", key="task", stakes=0.1).step("it", kind="milestone")])
        pushed(sifter, rec("milestone"), rec("error"), rec("error"), rec("error", severity="critical"), rec("recovery"))
        assert [told.name for told in sifter.rank()] == ["long_siege", "small"]

    def test_a_part_of_a_greater_arc_is_not_told_beside_it(self, rec: Make):
        sifter = Sifter(arcs("fleet"))
        pushed(sifter, rec("error"), rec("error"), rec("error"), rec("recovery"))
        assert [told.name for told in sifter.rank()] == ["long_siege"]

    def test_the_same_again_counts_for_less(self, rec: Make):
        one, other = (
            arc(name, key="task", stakes=stakes).step("it", kind=name) for name, stakes in [("a", 3), ("b", 2)]
        )
        sifter = Sifter([one, other])
        pushed(sifter, rec("a", "mara", "#1"), rec("a", "mara", "#2"), rec("b", "odo", "#3"))
        assert [told.name for told in sifter.rank()] == ["a", "b", "a"]

    def test_a_choice_among_some(self, rec: Make):
        sifter = Sifter(arcs("fleet"))
        tolds = [c.told for c in pushed(sifter, rec("error"), rec("recovery"), rec("error"), rec("recovery")) if c.told]
        assert sifter.rank(among=tolds[:1]) == tolds[:1]


class TestToml:
    text = """
    [[arc]]
    name = "long_siege"
    key = ["agent", "task"]
    within = "7 days"
    tell = "{agent} was beaten back {blow.count} times on {task} before {win.detail}."
    step = [{ name = "blow", kind = "error", times = "3+" }, { name = "win", kind = ["recovery", "pr_merge"] }]
    unless = [{ kind = "abandon", between = ["blow", "win"] }]
    """

    def test_toml_and_python_say_the_same(self):
        (read,) = parse_patterns(self.text)
        assert (read.name, read.key, read.steps, read.bans, read.seconds) == (
            siege.name,
            siege.key,
            siege.steps,
            siege.bans,
            siege.seconds,
        )

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            (('"3+"', '"lots"'), "mine.toml, arc 1 (long_siege): times cannot be 'lots'"),
            (('"win"]', '"loss"]'), "has no step 'loss'"),
            (("{win.detail}", "{loss.detail}"), "speaks of 'loss.detail'"),
            (("7 days", "a while"), "'a while' is no span of time"),
            (('name = "win"', 'nome = "win"'), "a step knows no 'nome'"),
            (('name = "win"', 'name = "blow"'), "'blow' cannot be the name of a step"),
            (('kind = "abandon"', "kind = 3"), "an unless needs a proper 'kind'"),
            (('[{ kind = "abandon", between = ["blow", "win"] }]', '["abandon"]'), "'unless' must be tables"),
            (("within", "withn"), "an arc knows no 'withn'"),
            (('times = "3+"', 'where = { agent = { like = "mara" } }'), "'like' is no test"),
            (('times = "3+"', 'where = { agent = { same_as = "later" } }'), "has no step 'later'"),
            (("[[arc]]", "[[arch]]"), "only [[arc]] tables are known"),
            (("name =", "name ="), ""),
        ],
    )
    def test_an_error_says_where(self, change: tuple[str, str], says: str):
        text = self.text.replace(*change)
        if not says:
            assert parse_patterns(text)
            return
        with pytest.raises(BadInput) as error:
            parse_patterns(text, "mine.toml")
        assert says in str(error.value)
        assert "mine.toml" in str(error.value)

    def test_broken_toml_names_the_line(self):
        with pytest.raises(BadInput, match=r"mine\.toml: .*line 3"):
            parse_patterns("[[arc]]\nname = 'x'\nkey = ]\n", "mine.toml")


kinds = st.sampled_from(["dispatch", "commit", "pr_open", "pr_merge", "error", "recovery", "abandon", "collab"])
steps = st.lists(st.tuples(kinds, st.integers(0, 2), st.integers(0, 2), st.integers(0, 9 * 86400)), max_size=60)


def _by_task(sifter: Sifter, events: list[Record]) -> set[tuple[str, tuple[str, ...]]]:
    task_arcs = {pattern.name for pattern in arcs("fleet") if "task" in pattern.key}
    return {(c.arc, c.ids) for c in pushed(sifter, *events) if c.what == "completed" and c.arc in task_arcs}


@given(steps)
def test_a_thread_is_told_the_same_alone_and_among_others(story: list[tuple[str, int, int, int]]):
    """What happens to other tasks changes nothing, and neither does the moment old partials are swept away."""
    at, events = 0.0, []
    for number, (kind, agent, task, gap) in enumerate(story):
        at += gap
        events.append(Record(f"e{number}", kind, at, {"agent": f"a{agent}", "task": f"#{task}", "place": "fleet"}))
    alone = set()
    for task in ("#0", "#1", "#2"):
        alone |= _by_task(Sifter(arcs("fleet")), [event for event in events if event.keys["task"] == task])
    assert _by_task(Sifter(arcs("fleet")), events) == alone
