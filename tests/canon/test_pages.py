"""Entity pages: as of any event of any timeline, with sources; why we believe a thing; who is near."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from talekeeper.canon.facts import history
from talekeeper.canon.pages import neighbours, page, resolve_name, why
from talekeeper.canon.replay import differences
from talekeeper.errors import BadInput, NotFound
from talekeeper.timeline.vocabulary import Claim


def see_page(town, who: str, timeline: str = "t1", until: int | None = None, **how):
    past = town.scribe.path(timeline).until(until)
    return town.scribe.read(lambda conn: page(conn, past, who, **how))


def test_a_page_says_what_holds_and_where_it_came_from(town) -> None:
    tam = see_page(town, "Tam")
    assert (tam.id, tam.name, tam.status) == ("person/tam", "Tam", "")
    assert [(line.pred, line.says, line.since, line.role) for line in tam.facts] == [
        ("at", "Tam is at The Otter", "t1@1", "owner"),
        ("name", "Tam is called Tam", "t1@1", "owner"),
    ]
    assert [(line.pred, line.slot, line.obj) for line in tam.relations] == [("trust", "person/mara", 10)]
    assert see_page(town, "person/mara").held == ("item/lantern",)
    assert see_page(town, "place/quay").held == ("person/mara",)


def test_a_page_as_of_any_event_of_any_timeline(town) -> None:
    mood = town.scribe.decide(Claim("person/mara", "mood", "wary"))
    moved = town.scribe.decide(Claim("person/mara", "at", "place/tavern"))
    town.scribe.decide(Claim("person/mara", "mood", retract=True))
    branch = town.scribe.fork(at=mood.seq).id
    town.scribe.decide(Claim("person/mara", "mood", "glad"), timeline=branch)

    def facts(timeline: str, until: int | None = None) -> dict[str, object]:
        lines = see_page(town, "person/mara", timeline, until).facts
        return {line.pred: line.obj for line in lines if line.pred in ("at", "mood")}

    assert facts("t1") == {"at": "place/tavern"}
    assert facts("t1", moved.seq) == {"at": "place/tavern", "mood": "wary"}
    assert facts("t1", mood.seq) == {"at": "place/quay", "mood": "wary"}
    assert facts("t1", 1) == {"at": "place/quay"}
    assert facts(branch) == {"at": "place/quay", "mood": "glad"}
    assert facts(branch, mood.seq) == {"at": "place/quay", "mood": "wary"}


def test_secrets_are_for_the_game_master(town) -> None:
    assert not any(line.pred == "secret" for line in see_page(town, "Mara").facts)
    assert any(line.pred == "secret" for line in see_page(town, "Mara", hidden=True).facts)


def test_a_name_an_alias_or_an_id_in_any_case(town) -> None:
    for said in ("person/mara", "MARA", " mara ", "the harbourmaster", "Harbourmaster", "harbour"):
        assert town.see(lambda view, s=said: resolve_name(view, s)) == "person/mara"
    with pytest.raises(NotFound):
        town.see(lambda view: resolve_name(view, "Nobody"))
    with pytest.raises(NotFound):
        town.see(lambda view: resolve_name(view, ""))
    with pytest.raises(BadInput, match="could be any of"):
        town.see(lambda view: resolve_name(view, "t"))


def test_why_do_we_believe_this(town) -> None:
    first = town.scribe.decide(Claim("person/mara", "mood", "wary"))
    branch = town.scribe.fork(at=first.seq).id
    town.scribe.decide(Claim("person/mara", "mood", retract=True))
    again = town.scribe.decide(Claim("person/mara", "mood", "glad"), timeline=branch)

    def reasons(timeline: str) -> list[tuple[str, bool, object]]:
        past = town.scribe.path(timeline)
        found = town.scribe.read(lambda conn: why(conn, past, "person/mara", "mood"))
        return [(r.event, r.asserted, r.obj) for r in found]

    assert reasons("t1") == [(first.id, True, "wary"), ("t1@3", False, "")]
    assert reasons(branch) == [(first.id, True, "wary"), (again.id, True, "glad")]
    past = town.scribe.path()
    assert [a for _, a in town.scribe.read(lambda c: history(c, past, "person/mara", "mood"))] == [True, False]


def test_neighbours_by_distance(town) -> None:
    def near(conn: Connection, depth: int) -> dict[str, int]:
        return neighbours(conn, past, "person/tam", depth)

    past = town.scribe.path()
    assert town.scribe.read(lambda c: near(c, 1)) == {"person/tam": 0, "person/mara": 1, "place/tavern": 1}
    assert town.scribe.read(lambda c: near(c, 2)) == {
        "person/tam": 0, "person/mara": 1, "place/tavern": 1, "item/lantern": 2, "place/island": 2, "place/quay": 2,
    }  # fmt: skip
    assert town.scribe.read(lambda c: near(c, 0)) == {"person/tam": 0}


def test_stored_canon_is_what_replay_says(town) -> None:
    town.scribe.decide(Claim("person/mara", "mood", "wary"))
    branch = town.scribe.fork(at=1).id
    town.scribe.decide(Claim("person/mara", "trait", "blunt", slot="blunt"), timeline=branch)
    for timeline in ("t1", branch):
        past = town.scribe.path(timeline)
        assert town.scribe.read(lambda conn, p=past: differences(conn, p)) == []
