"""Every arc of the house: a story that is one, and one that is not."""

from __future__ import annotations

import pytest

from talekeeper.chronicle.sifter import BOOKS, Record, Sifter, all_arcs, arcs

DAY, HOUR, MINUTE = 86400.0, 3600.0, 60.0


def story(*lines: str, step: float = MINUTE, **keys: str) -> list[Record]:
    """Each line "kind agent" or "kind actor>target"; "..N" between them lets N units pass."""
    at, records = 0.0, []
    for line in lines:
        if line.startswith(".."):
            at += float(line[2:]) * step
            continue
        at += step
        kind, _, who = line.partition(" ")
        actor, _, target = who.partition(">")
        own = {
            "agent": actor,
            "person": actor,
            "task": "#1",
            "place": "harbour",
            "relation": "|".join(sorted([actor, target])),
        }
        own |= {"mentor": actor, "session": keys.get("session", "s1")} | keys
        fields = {"detail": line, "actor": actor, "target": target}
        records.append(Record(f"e{len(records)}", kind, at, own, fields))
    return records


def told(records: list[Record]) -> set[str]:
    sifter = Sifter(all_arcs())
    return {change.arc for record in records for change in sifter.push(record) if change.what == "completed"}


IS = {
    "struggle_and_recovery": story("error mara", "recovery mara"),
    "long_siege": story("error mara", "error mara", "error mara", "pr_merge mara"),
    "false_dawn": story("error mara", "recovery mara", "error odo"),
    "fall": story("error mara", "error mara", "abandon mara"),
    "abandon_then_retry": story("abandon mara", "..3000", "dispatch odo"),
    "handoff": story("dispatch mara", "commit mara", "dispatch odo", "commit odo", "pr_open odo"),
    "rescue": story("error mara", "recovery odo"),
    "solo_sprint": story("dispatch mara", "commit mara", "commit mara", "pr_open mara", "pr_merge mara"),
    "fleet_convergence": story("commit mara", "commit odo", "collab mara"),
    "cascade": story("error mara", "error odo", "error zoe"),
    "the_long_silence": story("commit mara", "..23", "commit mara", step=DAY),
    "silent_grind": story(*["commit mara"] * 12),
    "betrayal": story("helped mara>odo", "harmed odo>mara"),
    "reconciliation": story("robbed mara>odo", "helped odo>mara", "reconciled mara>odo"),
    "oath_kept": story("oath_sworn mara", "oath_kept mara", oath="o"),
    "oath_broken": story("oath_sworn mara", "oath_broken mara", oath="o"),
    "rise_and_fall": story("power_gained x", "power_gained x", "power_lost x", "power_lost x", faction="f"),
    "mentors_death": story("taught mara>odo", "died mara"),
    "secret_revealed": story("secret_kept mara", "secret_revealed odo", secret="s"),
    "revenge": story("harmed mara>odo", "robbed odo>mara"),
    "homecoming": story("departed mara", "..9", "arrived mara", step=DAY),
    "lull_and_revival": story("chat_said a", "..12", "chat_said b", "chat_said c", "chat_said d", "chat_said e"),
    "storm_calmed": story("chat_flagged a", "chat_flagged b", "chat_flagged c", "..12", "chat_said d"),
    "newcomer_stays": [
        *story("chat_first a"),
        *(record for name in "xyz" for record in story("..1", "session_joined a", session=name)),
    ],
    "running_joke": story("chat_said a", "chat_said b", "chat_said c", "chat_said d", topic="rubber duck"),
}

IS_NOT = {
    "struggle_and_recovery": story("recovery mara", "error mara"),
    "long_siege": story("error mara", "error mara", "pr_merge mara"),
    "false_dawn": story("error mara", "recovery mara", "..3000", "error mara"),
    "fall": story("error mara", "recovery mara", "abandon mara"),
    "abandon_then_retry": story("dispatch mara", "abandon mara"),
    "handoff": story("dispatch mara", "dispatch mara", "pr_open mara"),
    "rescue": story("error mara", "recovery mara", "recovery odo"),
    "solo_sprint": story("dispatch mara", "commit mara", "commit odo", "pr_open mara", "pr_merge mara"),
    "fleet_convergence": story("commit mara", "commit mara", "collab mara"),
    "cascade": story("error mara", "error mara", "error odo"),
    "the_long_silence": story("commit mara", "..19", "commit mara", step=DAY),
    "silent_grind": story(*["commit mara"] * 8, "error mara", *["commit mara"] * 8),
    "betrayal": story("harmed odo>mara", "helped mara>odo"),
    "reconciliation": story("robbed mara>odo", "helped odo>mara"),
    "oath_kept": story("oath_sworn mara", "oath_broken mara", "oath_kept mara", oath="o"),
    "oath_broken": story("oath_broken mara", oath="o"),
    "rise_and_fall": story("power_gained x", "power_lost x", faction="f"),
    "mentors_death": story("taught mara>odo", "died odo"),
    "secret_revealed": story("secret_revealed odo", secret="s"),
    "revenge": story("harmed mara>odo", "harmed mara>odo"),
    "homecoming": story("departed mara", "arrived mara"),
    "lull_and_revival": story("chat_said a", "chat_said b", "chat_said c", "chat_said d"),
    "storm_calmed": story("chat_flagged a", "chat_flagged b", "..12", "chat_said d"),
    "newcomer_stays": story("chat_first a", "session_joined a", "session_joined a", "session_joined a"),
    "running_joke": story("chat_said a", "chat_said a", "chat_said a", "chat_said b", topic="rubber duck"),
}


def test_there_are_enough_of_them():
    assert [len(arcs(book)) for book in BOOKS] == [12, 9, 4]
    assert set(IS) == set(IS_NOT) == {pattern.name for pattern in all_arcs()}


@pytest.mark.parametrize("name", IS)
def test_the_arc_is_found(name: str):
    assert name in told(IS[name])


@pytest.mark.parametrize("name", IS_NOT)
def test_what_only_looks_like_it_is_not(name: str):
    assert name not in told(IS_NOT[name])


@pytest.mark.parametrize("name", IS)
def test_its_sentence_names_nobody_who_is_not_in_it(name: str):
    sifter = Sifter(all_arcs())
    changes = [change for record in IS[name] for change in sifter.push(record)]
    (arc,) = {change.told for change in changes if change.what == "completed" and change.arc == name}
    assert "{" not in arc.sentence()
    assert "someone" not in arc.sentence()
    assert "something" not in arc.sentence()
    assert set(arc.ids) <= {record.id for record in IS[name]}


def test_names_in_a_sentence_can_be_escaped():
    sifter = Sifter(arcs("fleet"))
    records = story("error <b>", "recovery <b>")
    (arc,) = [change.told for record in records for change in sifter.push(record) if change.told]
    assert "<b>" not in arc.sentence(lambda text: text.replace("<", "&lt;"))
