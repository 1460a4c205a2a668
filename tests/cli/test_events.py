"""`talekeeper events tail`, in this process; tests/cli/test_program.py follows from another."""

from __future__ import annotations

import msgspec

WORLD = "low-water"


def events(said) -> list[dict]:
    return [msgspec.json.decode(line) for line in said.out.splitlines()]


def test_the_tail_is_the_last_events_oldest_first(run):
    tail = events(run("events", "tail", WORLD, "-n", "5", "--json"))
    assert [e["seq"] for e in tail] == list(range(tail[0]["seq"], tail[0]["seq"] + 5))
    assert [e["kind"] for e in tail[-2:]] == ["proposal.staged", "proposal.staged"]
    assert len(events(run("events", "tail", "--json"))) == 20
    assert run("events", "tail", "-n", "0").out == ""


def test_the_tail_reads_along_the_whole_path(run):
    everything = events(run("events", "tail", "-n", "100000", "--json"))
    assert [e["seq"] for e in everything] == list(range(1, len(everything) + 1))
    assert everything[0]["kind"] == "world.created"
    assert {e["timeline"] for e in everything} == {"t1", "t4"}
    assert {e["timeline"] for e in events(run("events", "tail", "-t", "t2", "-n", "100000", "--json"))} == {"t1", "t2"}


def test_people_see_the_words(run):
    lines = run("events", "tail", "-n", "100000").out.splitlines()
    acted = [line for line in lines if "action.taken" in line]
    assert [line.rsplit(": ", 1)[1] for line in acted] == ["look around", "wait", "wait"]
    assert all(line.startswith("t") for line in lines)


def test_a_follower_is_told_everything_once_and_only_the_rest_later(run):
    first = events(run("events", "tail", "--follower", "bot", "--json"))
    assert first[0]["seq"] == 1
    assert run("events", "tail", "--follower", "bot", "--json").out == ""
    assert len(events(run("events", "tail", "--follower", "other", "--json"))) == len(first)
    proposal = run("canon", "proposals", "--json").json()[0]["id"]
    run("canon", "reject", proposal)
    assert [e["kind"] for e in events(run("events", "tail", "--follower", "bot", "--json"))] == ["proposal.decided"]


def test_a_fork_does_not_tell_a_follower_the_story_again(run):
    seen = events(run("events", "tail", "--follower", "bot", "--json"))
    run("timeline", "fork", "--at", "1")
    after = events(run("events", "tail", "--follower", "bot", "--json"))
    assert [(e["kind"], e["timeline"]) for e in after] == [("timeline.forked", "t5")]
    assert after[0]["seq"] < len(seen)


def test_bad_questions(run):
    assert run("events", "tail", "nowhere").code == 2
    assert run("events", "tail", "-n", "-1").code == 2
    assert run("events", "tail", "--follower", " ").code == 2
    assert run("events", "tail", "-t", "t77").code == 2
