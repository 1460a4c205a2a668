"""`talekeeper timeline`."""

from __future__ import annotations

import pytest

WORLD = "low-water"


def test_the_timelines_are_a_tree_by_turns_with_other_tellings_folded(run):
    assert run("timeline", "list").out.splitlines() == [
        "Low Water at Corrow (low-water)",
        "└── t1  turn 5",
        "    ├── t4  backtrack after turn 2  turn 3  ← active",
        "    └── and 2 other tellings (--all shows them)",
    ]
    unfolded = run("timeline", "list", WORLD, "--all").out.splitlines()
    assert unfolded[2:] == [
        "    ├── t2  swipe after turn 4  turn 5",
        "    ├── t3  swipe after turn 4  turn 5",
        "    └── t4  backtrack after turn 2  turn 3  ← active",
    ]


def test_a_telling_somebody_went_on_from_is_not_folded(run):
    assert run("timeline", "switch", "t3").out == "t3 is active, at turn 5.\n"
    assert "t3  swipe after turn 4  turn 5  ← active" in run("timeline", "list").out
    run("timeline", "fork", "--name", "another way")
    tree = run("timeline", "list").out
    assert "t3  swipe" in tree
    assert "t5 “another way”  fork after turn 5" in tree


def test_a_script_reads_the_same_tree(run):
    branches = run("timeline", "list", "--json").json()
    assert [(b["id"], b["parent"], b["from_turn"], b["turn"], b["active"], b["folded"]) for b in branches] == [
        ("t1", None, 0, 5, False, False),
        ("t2", "t1", 4, 5, False, True),
        ("t3", "t1", 4, 5, False, True),
        ("t4", "t1", 2, 3, True, False),
    ]


def test_a_fork_after_a_turn_becomes_the_active_timeline(run):
    said = run("timeline", "fork", WORLD, "--timeline", "t1", "--at", "4", "--name", "what if", "--json").json()
    assert said == {"timeline": "t5", "turn_number": 4}
    assert run("world", "show", "--json").json()["active"] == "t5"
    assert run("timeline", "fork", "--at", "0").out == "t6 is active, at turn 0.\n"


def test_switching_names_the_world_or_means_the_last_one_played(run):
    assert run("timeline", "switch", WORLD, "t1").out == "t1 is active, at turn 5.\n"
    assert run("timeline", "switch", "t2", "--json").json() == {"timeline": "t2", "turn_number": 5}


def test_two_timelines_are_compared_by_what_is_true_on_them(run):
    said = run("timeline", "compare", "t1", "t4", "--json").json()
    assert (said["a"], said["b"]) == ("t1", "t4")
    clock = next(d for d in said["differences"] if d["pred"] == "time")
    assert clock["a"] != clock["b"], "more time has passed on one of them"
    assert run("timeline", "compare", "t1").out == run("timeline", "compare", "t1", "t4").out, "t4 is active"
    assert run("timeline", "compare", "t4", "t4").out == "The same is true on both.\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("fork", "--at", "99"), "There is no turn 99 here."),
        (("compare", "t1", "t99"), "The world low-water has no timeline 't99'."),
        (("fork", "nowhere"), "There is no world named 'nowhere'."),
        (("switch", "t99"), "The world low-water has no timeline 't99'."),
        (("switch", WORLD, "left"), "The world low-water has no timeline 'left'."),
        (("switch",), "Missing argument"),
    ],
)
def test_a_journey_that_leads_nowhere(run, args, message):
    said = run("timeline", *args)
    assert said.code == 2
    assert message in said.err
    assert run("world", "show", "--json").json()["active"] == "t4"


def test_a_name_cannot_command_the_terminal(run):
    run("timeline", "fork", "--name", "\x1b[31mred\x07 \u202egnik")
    out = run("timeline", "list").out
    assert "�[31mred� �gnik" in out
    assert not {"\x1b", "\x07", "\u202e"} & set(out)
