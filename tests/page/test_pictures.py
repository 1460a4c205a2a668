"""Pictures: well-formed whatever the names are, the same for the same world, and complete without colours."""

from __future__ import annotations

from xml.etree import ElementTree

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from talekeeper.doors.web.pictures.relation_graph import HEIGHT, WIDTH, Soul, Tie, relation_graph
from talekeeper.doors.web.pictures.timeline_tree import Branch, timeline_tree

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '</title><script>alert(1)</script>"\' onload="x" \x00\x0b\ud800'


def texts(picture: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_ties_between_people() -> None:
    souls = [Soul("person/you", "You", player=True), Soul("person/a", "Ada", present=True), Soul("person/b", "Bel")]
    ties = [Tie("person/a", "person/you", "trust", 40), Tie("person/b", "person/a", "fear", 30)]
    drawn = ElementTree.fromstring(relation_graph(souls, ties))
    titles = [e.text for e in drawn.iter(f"{SVG}title")]
    assert "Ada trusts You" in titles
    assert "Bel fears Ada" in titles
    broken = [path.get("stroke-dasharray") for path in drawn.iter(f"{SVG}path")]
    assert broken.count(None) == 1, "good will is a whole line, ill will a broken one"
    assert [g.get("data-id") for g in drawn.iter(f"{SVG}g")] == [None, "person/a", "person/b"]


def test_somebody_without_ties_elsewhere_is_left_out() -> None:
    souls = [Soul("person/you", "You", player=True), Soul("person/far", "Far away")]
    assert texts(relation_graph(souls, [])) == ["You"]


names = st.text(max_size=30) | st.just(HOSTILE)


@settings(deadline=None)
@given(
    st.lists(st.tuples(names, st.booleans()), max_size=30),
    st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29), st.integers(-100, 100)), max_size=60),
)
def test_any_names_and_ties_make_a_picture(people: list[tuple[str, bool]], pairs: list[tuple[int, int, int]]) -> None:
    souls = [Soul(f"person/p{i}", name, present=here, player=i == 0) for i, (name, here) in enumerate(people)]
    ties = [Tie(f"person/p{a}", f"person/p{b}", "affection", value) for a, b, value in pairs]
    drawn = relation_graph(souls, ties)
    assert drawn == relation_graph(souls, ties)
    root = ElementTree.fromstring(drawn.encode())
    assert not list(root.iter(f"{SVG}script"))
    for circle in root.iter(f"{SVG}circle"):
        assert 0 <= float(circle.get("cx", "")) <= WIDTH
        assert 0 <= float(circle.get("cy", "")) <= HEIGHT


def test_the_tree_shows_where_ways_part() -> None:
    drawn = timeline_tree(
        [
            Branch(id="t1", turns=9),
            Branch(id="t2", parent="t1", fork_turn=4, turns=7, reason="backtrack", active=True),
            Branch(id="t3", parent="t2", fork_turn=6, turns=7, reason="swipe"),
            Branch(id="t4", name="if we had stayed", parent="t1", fork_turn=4, turns=4, reason="fork"),
        ]
    )
    assert sorted(texts(drawn)) == ["if we had stayed · 4", "t1 · 9", "t2 · 7"], "a telling that led nowhere is folded"
    root = ElementTree.fromstring(drawn)
    heights = [text.get("y") for text in root.iter(f"{SVG}text")]
    assert len(set(heights)) == 3, "no name lies over another"
    lit = [e for e in root.iter(f"{SVG}circle") if e.get("class") == "end here"]
    assert len(lit) == 1


@settings(deadline=None)
@given(st.data())
def test_any_tree_makes_a_picture(data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 20))
    branches = [Branch(id="t1", turns=data.draw(st.integers(0, 30)))]
    for i in range(2, count + 1):
        parent = data.draw(st.sampled_from(branches))
        fork = data.draw(st.integers(0, parent.turns))
        branches.append(
            Branch(
                id=f"t{i}", name=data.draw(names), parent=parent.id, fork_turn=fork,
                turns=data.draw(st.integers(fork, fork + 5)), reason=data.draw(st.sampled_from(["fork", "swipe", "retry"])),
            )
        )  # fmt: skip
    active = data.draw(st.integers(0, count - 1))
    branches = [msgspec.structs.replace(branch, active=i == active) for i, branch in enumerate(branches)]
    root = ElementTree.fromstring(timeline_tree(branches).encode())
    ids = [g.get("data-id") for g in root.iter(f"{SVG}g") if g.get("data-id")]
    assert branches[active].id in ids
    assert set(ids) <= {b.id for b in branches}
