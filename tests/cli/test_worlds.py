"""`talekeeper world`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from sqlalchemy import delete, update

from talekeeper.app.engine import Engine
from talekeeper.canon.facts import fact_table
from talekeeper.testing.house import House
from talekeeper.timeline.turns import turn_table

WORLD = "low-water"


def test_a_new_world_is_made_from_a_preset_and_listed_first(run):
    said = run("world", "new", "old-harbour", "--preset", WORLD, "--seed", "7", "--title", "Old Harbour")
    assert (said.code, said.out) == (0, "Old Harbour is ready as old-harbour, seed 7.\n")
    assert "talekeeper play --world old-harbour" in said.err
    listed = run("world", "list", "--json").json()
    assert [(w["slug"], w["title"], w["turn"], w["timelines"]) for w in listed] == [
        ("old-harbour", "Old Harbour", 0, 1),
        (WORLD, "Low Water at Corrow", 3, 4),
    ]


def test_a_new_world_takes_the_presets_name_or_the_next_free_one(run):
    made = run("world", "new", "--json").json()
    assert made["slug"] == f"{WORLD}-2"
    assert made["seed"] >= 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("Old Harbour",), "'Old Harbour' cannot be the name of a world."),
        (("x", "--preset", "nowhere"), "There is no preset called 'nowhere'."),
        (("x", "--preset", "../low-water"), "There is no preset called '../low-water'."),
        (("x", "--seed", "-1"), "Invalid value for '--seed'"),
        (("x", "--seed", "many"), "Invalid value for '--seed'"),
    ],
)
def test_a_world_that_cannot_be_made(run, args, message):
    said = run("world", "new", *args)
    assert said.code == 2
    assert message in " ".join(said.err.split())
    assert len(run("world", "list", "--json").json()) == 1


def test_a_name_that_is_taken_is_refused(run):
    said = run("world", "new", WORLD)
    assert (said.code, said.err.splitlines()[0]) == (3, f"A world named {WORLD} is already here.")


def test_the_list_is_a_table_for_people(run):
    header, row = run("world", "list").out.splitlines()
    assert header.split() == ["world", "title", "turn", "timelines", "played"]
    assert row.startswith("low-water  Low Water at Corrow  3")


def test_a_home_without_worlds_says_how_to_begin(run, tmp_path):
    said = run("world", "list", TALEKEEPER_HOME=str(tmp_path / "new"))
    assert (said.code, said.out) == (0, "")
    assert "talekeeper world new" in said.err
    assert run("world", "show", TALEKEEPER_HOME=str(tmp_path / "new")).code == 2


def test_show_says_where_and_when_the_world_stands(run):
    shown = run("world", "show", WORLD, "--json").json()
    assert (shown["world"], shown["turn"], shown["timelines"], shown["active"]) == (WORLD, 3, 4, "t4")
    assert shown["place"] == "The Otter"
    assert "Dry September" in shown["time"]
    assert "Merrit Sloane" in run("world", "show").out


def test_an_unknown_world_is_bad_input_and_the_known_ones_are_named(run):
    said = run("world", "show", "nowhere")
    assert (said.code, said.err) == (2, "There is no world named 'nowhere'.\nHere are: low-water.\n")


def test_export_and_import_under_another_name(run, tmp_path):
    file = tmp_path / "saved.jsonl.gz"
    said = run("world", "export", WORLD, "--out", str(file))
    assert said.code == 0
    assert said.out.endswith(f"8 turns, 4 timelines, in {file}\n")
    assert gzip.decompress(file.read_bytes()).startswith(b'{"line":"header"')
    assert run("world", "import", str(file), "--name", "copy").out == "Low Water at Corrow is here as copy.\n"
    first, second = (run("world", "show", name, "--json").json() for name in (WORLD, "copy"))
    assert {**first, "world": "copy"} == second
    assert run("effects", "list", "--json").json() == []
    assert run("world", "check", "copy").code == 0


def test_an_export_goes_to_the_homes_exports_by_default(run, home):
    said = run("world", "export", "--json").json()
    assert Path(said["file"]).parent == home / "exports"
    assert said["events"] > 100
    assert [p.name for p in (home / "exports").iterdir()] == [Path(said["file"]).name]


def test_an_export_replaces_nothing_unless_told_to(run, tmp_path):
    file = tmp_path / "saved.jsonl"
    file.write_text("mine")
    said = run("world", "export", "--out", str(file))
    assert said.code == 3
    assert "--force" in said.err
    assert file.read_text() == "mine"
    assert run("world", "export", "--out", str(file), "--force").code == 0
    assert json.loads(file.read_text().splitlines()[-1])["line"] == "footer"


def test_an_export_into_nowhere_leaves_nothing(run, tmp_path):
    said = run("world", "export", "--out", str(tmp_path / "missing" / "x.jsonl"))
    assert said.code == 4
    assert "No such file or directory" in said.err
    assert not (tmp_path / "missing").exists()


def test_a_world_passes_through_a_pipe(run):
    piped = run("world", "export", "--out", "-")
    assert piped.code == 0
    assert run("world", "import", "-", "--name", "piped", given=piped.out).code == 0
    assert run("world", "show", "piped", "--json").json()["turn"] == 3


def test_an_import_that_fails_changes_nothing(run, tmp_path):
    file = tmp_path / "saved.jsonl"
    run("world", "export", "--out", str(file))
    assert run("world", "import", str(file)).code == 3
    half = file.read_bytes()
    file.write_bytes(half[: len(half) // 2])
    said = run("world", "import", str(file), "--name", "half")
    assert said.code == 4
    assert "world file" in said.err
    assert run("world", "import", str(tmp_path / "none"), "--name", "half").code == 2
    assert run("world", "import", str(tmp_path), "--name", "half").code == 4
    assert [w["slug"] for w in run("world", "list", "--json").json()] == [WORLD]


def test_delete_asks_a_person_and_needs_yes_from_a_script(run):
    said = run("world", "delete", WORLD)
    assert said.code == 2
    assert "--yes" in said.err
    assert run("world", "delete", WORLD, "--yes").out == "low-water is gone.\n"
    assert run("world", "list", "--json").json() == []
    assert run("world", "delete", WORLD, "--yes").code == 2


def test_a_world_in_which_a_turn_is_being_told_is_not_deleted(run, engine: Engine):
    def accept(conn):
        last = conn.execute(turn_table.select().where(turn_table.c.timeline == "t4")).one()._mapping
        running = {**last, "id": "t4#4", "number": 4, "state": "accepted", "lease_owner": "x", "lease_until": 9e9}
        conn.execute(turn_table.insert().values(running))

    engine.store.write_now(accept)
    engine.store.close()
    said = run("world", "delete", WORLD, "--yes")
    assert (said.code, said.err.splitlines()[0]) == (3, "Turn 4 of low-water is being told.")


def test_check_finds_a_world_sound(run):
    assert run("world", "check").out == "low-water is sound: canon on 4 timelines is what its events say.\n"


def test_check_finds_stored_facts_that_no_event_tells_of(run, engine: Engine):
    f = fact_table.c
    of_nan = (f.world == WORLD, f.subj == "person/nan", f.pred == "role")
    engine.store.write_now(lambda conn: conn.execute(update(fact_table).where(*of_nan).values(obj='"queen"')))
    engine.store.write_now(
        lambda conn: conn.execute(delete(fact_table).where(f.pred == "voice", f.subj == "person/tam"))
    )
    engine.store.close()
    said = run("world", "check", "--json")
    assert said.code == 1
    differences = said.json()["differences"]
    assert sorted(differences) == ["t1", "t2", "t3", "t4"]
    assert [line.split(":")[0] for line in differences["t1"]] == ["person/nan role", "person/tam voice"]
    assert run("world", "check").code == 1


@pytest.mark.postgres
def test_the_same_commands_on_postgres(run, postgres_house: House, tmp_path):
    url = postgres_house.settings().store_database_url
    assert url is not None
    there = {"DATABASE_URL": url.get_secret_value()}
    file = tmp_path / "saved.jsonl.gz"
    assert run("world", "export", "--out", str(file)).code == 0
    assert run("world", "import", str(file), "--name", "moved", **there).code == 0
    assert {w["slug"] for w in run("world", "list", "--json", **there).json()} == {WORLD, "moved"}
    assert run("world", "check", "moved", **there).code == 0
    here, moved = run("world", "show", "--json").json(), run("world", "show", "moved", "--json", **there).json()
    assert {**here, "world": "moved"} == moved
    assert "t4  backtrack after turn 2  turn 3  ← active" in run("timeline", "list", "moved", **there).out
    assert run("canon", "show", "moved", "nan", "--json", **there).json()["name"] == "Nan Orchard"
    assert run("world", "delete", "moved", "--yes", **there).code == 0
