"""`talekeeper canon`."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from talekeeper.app.engine import Engine
from talekeeper.timeline.vocabulary import Claim, Draft, ProposalDecided

WORLD = "low-water"
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


def test_without_an_entity_everybody_and_everything_is_listed_by_kind(run):
    listed = run("canon", "show", "--json").json()
    kinds = [row["id"].partition("/")[0] for row in listed]
    assert list(dict.fromkeys(kinds)) == ["person", "place", "item", "faction", "concept", "world"]
    assert {"id": "person/nan", "name": "Nan Orchard", "about": "sexton and midwife"} in listed
    assert "person/nan" in run("canon", "show", WORLD).out


def test_the_page_of_an_entity_is_found_by_name_alias_or_id(run):
    by_id = run("canon", "show", WORLD, "person/nan", "--json").json()
    assert by_id["name"] == "Nan Orchard"
    assert run("canon", "show", "nan orchard", "--json").json() == by_id
    assert run("canon", "show", "the sexton", "--json").json() == by_id
    shown = run("canon", "show", WORLD, "nan").out
    assert "Nan Orchard is sexton and midwife" in shown
    assert "world_builder" in shown


def test_what_is_hidden_is_shown_to_the_game_master_only(run):
    assert "secret" not in {line["pred"] for line in run("canon", "show", "nan", "--json").json()["facts"]}
    assert "secret" in {line["pred"] for line in run("canon", "show", "nan", "--hidden", "--json").json()["facts"]}


def test_canon_as_of_an_earlier_turn(run):
    def minute(*args: str) -> int:
        page = run("canon", "show", WORLD, "world", "--json", *args).json()
        return next(line["obj"] for line in page["facts"] if line["pred"] == "time")

    opening, second, now = minute("--as-of", "0"), minute("--as-of", "2"), minute()
    assert opening < second < now
    assert minute("--as-of", "3") == now
    assert minute("--timeline", "t1") > minute("--timeline", "t1", "--as-of", "4")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("show", WORLD, "nobody"), "Canon knows nobody and nothing called 'nobody'."),
        (("show", "nowhere"), "Canon knows nobody and nothing called 'nowhere'."),
        (("show", WORLD, "nan", "--as-of", "99"), "There is no turn 99 on t4."),
        (("show", WORLD, "nan", "--as-of", "-1"), "There is no turn -1 on t4."),
        (("show", WORLD, "--timeline", "t9"), "The world low-water has no timeline 't9'."),
        (("why", "nan", "colour"), "Canon knows no predicate 'colour'."),
        (("why", WORLD, "nan", "harm"), "Nothing was ever decided about `harm` of Nan Orchard."),
        (("accept", "57"), "No proposal '57' is on this timeline."),
        (("reject", "t1@1", "--world", "nowhere"), "There is no world named 'nowhere'."),
        (("export", "--format", "dot"), "Invalid value for '--format'"),
    ],
)
def test_questions_that_cannot_be_answered(run, args, message):
    said = run("canon", *args)
    assert said.code == 2
    assert message in said.err


def test_why_tells_each_decision_with_who_took_it(run):
    (reason,) = run("canon", "why", WORLD, "nan", "role", "--json").json()
    assert (reason["obj"], reason["role"], reason["asserted"]) == ("sexton and midwife", "world_builder", True)
    times = run("canon", "why", "world", "time", "--json").json()
    assert len(times) == 4
    assert [t["role"] for t in times] == ["world_builder", "rules", "rules", "rules"]
    assert len(run("canon", "why", "world", "time", "--as-of", "1", "--json").json()) == 2


def test_why_with_several_values_tells_all_or_one(run):
    ties = run("canon", "why", "nan", "trust", "--json").json()
    assert {tie["slot"] for tie in ties} == {"person/bray", "person/dorcas", "person/merrit"}
    (one,) = run("canon", "why", "nan", "trust", "--slot", "person/merrit", "--json").json()
    assert one in ties
    assert "person/merrit" in run("canon", "why", "nan", "trust").out


def _open(run) -> list[str]:
    return [p["id"] for p in run("canon", "proposals", "--json").json()]


def test_a_proposal_is_accepted_and_becomes_a_fact(run):
    pipe, _ = _open(run)
    assert "Nan Orchard note (pipe): Nan smokes a pipe" in run("canon", "proposals").out
    said = run("canon", "accept", pipe, "--note", "she does")
    assert (said.code, said.out) == (0, f"{pipe} is accepted.\n")
    assert "Nan smokes a pipe when nobody looks." in run("canon", "show", "nan").out
    (reason,) = run("canon", "why", "nan", "note", "--json").json()
    assert (reason["role"], reason["note"]) == ("owner", "she does")
    assert pipe not in _open(run)
    again = run("canon", "accept", pipe)
    assert again.code == 2
    assert "already accepted" in again.err


def test_a_proposal_is_rejected_and_kept_with_the_reason(run):
    pipe, wrong = _open(run)
    assert run("canon", "reject", pipe, "--note", "no such habit", "--json").json()["decision"] == "rejected"
    assert _open(run) == [wrong]
    kept = {p["id"]: p for p in run("canon", "proposals", "--all", "--json").json()}
    assert (kept[pipe]["status"], kept[pipe]["note"]) == ("rejected", "no such habit")


def test_accepting_what_canon_stands_against_is_refused_with_the_reason(run):
    _, wrong = _open(run)
    said = run("canon", "accept", wrong, "--world", WORLD)
    assert (said.code, said.out) == (3, f"{wrong} is rejected.\n")
    assert "Nobody has heard of person/nobody." in said.err
    unfounded = run("canon", "accept", wrong, "--overrule")
    assert unfounded.code == 2
    assert "needs a note" in unfounded.err


def test_nothing_waits(run):
    for proposal in _open(run):
        run("canon", "reject", proposal)
    said = run("canon", "proposals")
    assert (said.code, said.out, said.err) == (0, "", "No claim waits for a decision.\n")


def test_canon_as_graphml_is_a_graph_anybody_can_read(run):
    root = ElementTree.fromstring(run("canon", "export", WORLD).out)
    keys = {key.get("id"): key.get("attr.name") for key in root.iter(f"{GRAPHML}key")}
    nodes = {node.get("id"): node for node in root.iter(f"{GRAPHML}node")}
    about_nan = {keys[data.get("key")]: data.text for data in nodes["person/nan"]}
    assert (about_nan["kind"], about_nan["name"], about_nan["role"]) == ("person", "Nan Orchard", "sexton and midwife")
    edges = {
        (edge.get("source"), {keys[d.get("key")]: d.text for d in edge}["predicate"], edge.get("target"))
        for edge in root.iter(f"{GRAPHML}edge")
    }
    assert ("person/nan", "at", "place/otter") in edges
    assert ("person/nan", "trust", "person/merrit") in edges
    assert {end for source, _, target in edges for end in (source, target)} <= nodes.keys()
    assert "secret" not in keys.values()
    assert any(name.startswith("secret.") for name in _keys(run("canon", "export", "--hidden").out))


def _keys(graphml: str) -> list[str]:
    return [key.get("attr.name") for key in ElementTree.fromstring(graphml).iter(f"{GRAPHML}key")]


def test_canon_as_cypher_goes_into_a_file(run, tmp_path):
    file = tmp_path / "canon.cypher"
    said = run("canon", "export", "--format", "cypher", "--out", str(file))
    assert said.out.endswith(f"relations, in {file}\n")
    statements = file.read_text().splitlines()
    assert all(line.endswith(";") and line.startswith(("MERGE (n:", "MATCH (a:")) for line in statements)
    assert "MERGE (n:Person {id: 'person/nan'}) SET n.name = 'Nan Orchard'" in file.read_text()
    assert run("canon", "export", "--out", str(file)).code == 3


def test_hostile_words_stay_words_in_every_notation(run, engine: Engine):
    evil = "'}) DETACH DELETE n; //\n<b>&\"\x01`"
    claims = tuple(Claim(subj="person/nan", pred="note", slot=slot, obj=evil) for slot in ("one", "b`ad}"))
    draft = Draft(body=ProposalDecided(decision="accepted", role="owner", claims=claims), by="owner")
    engine.store.write_now(lambda conn: engine.services.appender.append(conn, WORLD, "t4", [draft]))
    engine.store.close()
    root = ElementTree.fromstring(run("canon", "export").out)
    assert any(data.text and data.text.startswith("'}) DETACH") for data in root.iter(f"{GRAPHML}data"))
    cypher = run("canon", "export", "--format", "cypher").out
    (line,) = [line for line in cypher.splitlines() if "DETACH" in line]
    assert "'\\'}) DETACH DELETE n; //\\n<b>&\"" in line
    assert "n.`note.b``ad}` = " in line
    assert "\x01" not in run("canon", "show", "nan").out
