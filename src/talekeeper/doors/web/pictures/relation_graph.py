"""Who feels what for whom, drawn: circles for people, lines for ties; a broken line is ill will, so colour is never needed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from talekeeper.doors.web.pictures.colours import BAD, EMBER, FACES, FAINT, GOOD, GROUND, TEXT, face_of
from talekeeper.doors.web.pictures.spread import spread
from talekeeper.doors.web.pictures.svg import Svg, element, picture, short

WIDTH, HEIGHT = 300.0, 320.0
_EDGE = 34.0
_MOST_PEOPLE = 14

_WORDS = {
    "trust": ("trusts", "distrusts"), "affection": ("is fond of", "dislikes"), "respect": ("respects", "scorns"),
    "fear": ("fears", "is not afraid of"), "debt": ("owes", "is owed by"),
}  # fmt: skip


class Soul(msgspec.Struct, frozen=True):
    id: str
    name: str
    present: bool = False
    player: bool = False


class Tie(msgspec.Struct, frozen=True):
    """What one holds towards another: the relation that weighs most."""

    source: str
    target: str
    relation: str
    value: int

    @property
    def ill(self) -> bool:
        return (self.value < 0) != (self.relation == "fear")

    @property
    def words(self) -> str:
        return _WORDS.get(self.relation, (self.relation, f"not {self.relation}"))[self.value < 0]


def relation_graph(souls: Sequence[Soul], ties: Sequence[Tie]) -> str:
    shown = _most_tied(souls, ties)
    at = {soul.id: i for i, soul in enumerate(shown)}
    strongest = _one_a_pair([tie for tie in ties if tie.source in at and tie.target in at and tie.source != tie.target])
    pulls = [(at[t.source], at[t.target], min(1.0, abs(t.value) / 60)) for t in strongest]
    places = [
        (_EDGE + x, _EDGE * 0.7 + y)
        for x, y in spread(len(shown), pulls, WIDTH - 2 * _EDGE, HEIGHT - 2 * _EDGE)
    ]  # fmt: skip
    lines = [_tie(tie, places[at[tie.source]], places[at[tie.target]], shown, at) for tie in strongest]
    circles = [_soul(soul, *places[i]) for i, soul in enumerate(shown)]
    return picture(WIDTH, HEIGHT, "Who feels what for whom", *lines, *circles)


def _most_tied(souls: Sequence[Soul], ties: Sequence[Tie]) -> list[Soul]:
    """The player, those present, and those with the strongest ties to others; nobody without any."""
    weight = {soul.id: 0 for soul in souls}
    for tie in ties:
        for end in (tie.source, tie.target):
            if end in weight:
                weight[end] += abs(tie.value)
    wanted = [soul for soul in souls if soul.player or soul.present or weight[soul.id]]
    wanted.sort(key=lambda soul: (not soul.player, not soul.present, -weight[soul.id], soul.id))
    return wanted[:_MOST_PEOPLE]


def _one_a_pair(ties: Sequence[Tie]) -> list[Tie]:
    best: dict[tuple[str, str], Tie] = {}
    for tie in ties:
        pair = (min(tie.source, tie.target), max(tie.source, tie.target))
        if pair not in best or abs(tie.value) > abs(best[pair].value):
            best[pair] = tie
    return [best[pair] for pair in sorted(best)]


def _tie(
    tie: Tie, start: tuple[float, float], end: tuple[float, float], shown: Sequence[Soul], at: dict[str, int]
) -> Svg:
    (x1, y1), (x2, y2) = start, end
    length = max(1.0, math.hypot(x2 - x1, y2 - y1))
    bend = min(16.0, length * 0.12)
    mid_x = (x1 + x2) / 2 - (y2 - y1) / length * bend
    mid_y = (y1 + y2) / 2 + (x2 - x1) / length * bend
    who, whom = shown[at[tie.source]].name, shown[at[tie.target]].name
    return element(
        "path", element("title", f"{who} {tie.words} {whom}"),
        d=f"M{x1:.1f} {y1:.1f}Q{mid_x:.1f} {mid_y:.1f} {x2:.1f} {y2:.1f}", fill="none",
        stroke=BAD if tie.ill else GOOD, stroke_width=1.2 + min(2.2, abs(tie.value) / 25),
        stroke_dasharray="5 4" if tie.ill else None, stroke_linecap="round", class_="tie ill" if tie.ill else "tie well",
    )  # fmt: skip


def _soul(soul: Soul, x: float, y: float) -> Svg:
    size = 13.0 if soul.present or soul.player else 9.0
    name = short(soul.name, 18)
    left = max(len(name) * 3.6, min(WIDTH - len(name) * 3.6, x))
    return element(
        "g", element("title", soul.name),
        element("circle", cx=x, cy=y, r=18.0, fill="transparent"),
        element(
            "circle", cx=x, cy=y, r=size, fill=FACES[face_of(soul.id)], stroke=EMBER if soul.player else GROUND,
            stroke_width=2.5 if soul.player else 1.5, class_="soul player" if soul.player else "soul",
        ),
        element(
            "text", name, x=left, y=y + size + 13, text_anchor="middle", font_size=11.5,
            fill=TEXT if soul.present or soul.player else FAINT,
            stroke=GROUND, stroke_width=3.0, paint_order="stroke", stroke_linejoin="round",
            class_="name here" if soul.present or soul.player else "name",
        ),
        data_id=None if soul.player else soul.id,
    )  # fmt: skip
