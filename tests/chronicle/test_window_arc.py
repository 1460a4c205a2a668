"""The one arc a window tells: who is its hero, and when there is none."""

from __future__ import annotations

import pytest

from talekeeper.chronicle import AgentEvent
from talekeeper.chronicle.window_arc import WindowArc, find_arc


def told(*events: AgentEvent) -> WindowArc:
    arc = find_arc(events)
    assert arc is not None
    return arc


def test_struggle_and_recovery_has_the_one_who_recovered_as_its_hero(make):
    arc = told(
        make("error", "odo", "no"),
        make("commit", "zoe"),
        make("error", "mara", "red"),
        make("recovery", "mara", "green"),
    )
    assert arc.name == "struggle_and_recovery"
    assert "mara" in arc.text
    assert "odo" not in arc.text
    assert [event.detail for event in arc.events] == ["red", "green"]


def test_a_rescue_names_both(make):
    arc = told(make("error", "odo", "stuck on #4"), make("recovery", "mara", "freed #4"))
    assert "odo met trouble" in arc.text
    assert "mara came to the rescue" in arc.text


def test_a_recovery_from_something_else_is_no_rescue(make):
    assert find_arc([make("error", "odo", "stuck on #4"), make("recovery", "mara", "freed #5")]) is None


def test_an_arc_is_found_even_when_another_recovery_came_before(make):
    arc = told(make("recovery", "zoe", "of old"), make("error", "mara", "red"), make("recovery", "mara", "green"))
    assert "mara" in arc.text


def test_a_recovery_before_the_error_is_no_arc(make):
    assert find_arc([make("recovery", "mara"), make("error", "mara")]) is None


def test_abandon_then_retry_of_the_same_task(make):
    arc = told(make("abandon", "mara", "#1"), make("dispatch", "odo", "issue #1: the gate"))
    assert arc.name == "abandon_then_retry"
    assert "mara had walked away from #1" in arc.text
    assert "odo took it up again" in arc.text


def test_abandon_of_one_and_dispatch_of_another_is_no_retry(make):
    assert find_arc([make("abandon", "mara", "issue #1"), make("dispatch", "mara", "issue #2")]) is None
    assert (
        find_arc([make("dispatch", "mara", "#1"), make("abandon", "mara", "too hard"), make("dispatch", "mara", "#2")])
        is None
    )


def test_an_abandon_that_names_no_task_means_the_one_its_agent_was_sent_to(make):
    arc = told(make("dispatch", "mara", "#1"), make("abandon", "mara", "too hard"), make("dispatch", "mara", "#1"))
    assert "mara came back to it" in arc.text


SPRINT = ["dispatch", "commit", "pr_open", "pr_merge"]


def test_a_solo_sprint(make):
    arc = told(*(make(kind, "mara", "issue #7") for kind in SPRINT))
    assert arc.name == "solo_sprint"
    assert "mara carried #7" in arc.text


@pytest.mark.parametrize(
    "kinds",
    [
        ["pr_merge", "pr_open", "commit", "dispatch"],
        ["dispatch", "commit", "error", "pr_open", "pr_merge"],
        ["dispatch", "commit", "pr_open", "pr_merge", "error"],
    ],
)
def test_a_sprint_is_in_order_and_without_an_open_error(make, kinds):
    arc = find_arc([make(kind, "mara") for kind in kinds])
    assert arc is None or arc.name != "solo_sprint"


def test_a_sprint_of_two_is_not_solo(make):
    arc = find_arc([make(kind, agent) for kind, agent in zip(SPRINT, ["mara", "odo"] * 2, strict=True)])
    assert arc is None or arc.name != "solo_sprint"


def test_fleet_convergence_names_everyone_in_order_of_appearance(make):
    arc = told(make("commit", "zoe"), make("heartbeat", "abe"), make("collab", "mia"), make("commit", "kim"))
    assert arc.name == "fleet_convergence"
    assert "zoe, mia and kim" in arc.text


def test_silent_grind(make):
    arc = told(*(make("commit", "mara") for _ in range(5)), make("push", "mara"))
    assert arc.name == "silent_grind"
    assert "5 commits by mara" in arc.text


def test_drama_is_no_grind_and_a_heartbeat_is_no_story(make):
    assert find_arc([make("commit"), make("commit"), make("error")]) is None
    assert find_arc([make("heartbeat"), make("idle")]) is None
    assert find_arc([]) is None


def test_the_precedence(make):
    everything = [
        make("error", "mara", "#1"),
        make("recovery", "mara", "#1"),
        make("abandon", "mara", "#2"),
        make("dispatch", "mara", "#2"),
        *(make(kind, "mara", "#3") for kind in SPRINT),
        make("collab", "odo"),
    ]
    names = [
        told(*everything).name,
        told(*everything[1:]).name,
        told(*everything[3:]).name,
        told(*everything[4:8]).name,
    ]
    assert names == ["struggle_and_recovery", "abandon_then_retry", "fleet_convergence", "solo_sprint"]
