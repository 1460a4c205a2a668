"""The tree of timelines, drawn from the opening downwards. Other tellings of one turn are folded into the turn they tell."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from talekeeper.doors.web.pictures.colours import EMBER, FAINT, GROUND, LINE, SECOND, TEXT
from talekeeper.doors.web.pictures.svg import Svg, element, picture, short

_LANE, _STEP, _END, _TOP, _LEFT = 20.0, 34.0, 26.0, 14.0, 12.0
_FOLDED = ("retry", "swipe")


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    name: str = ""
    parent: str | None = None
    fork_turn: int = 0
    reason: str = ""
    turns: int = 0
    active: bool = False


def timeline_tree(branches: Sequence[Branch]) -> str:
    shown = _unfolded(branches)
    lanes = {branch.id: lane for lane, branch in enumerate(shown)}
    by_id = {branch.id: branch for branch in shown}
    forks, ends = _rows(shown)
    way = _way_here(by_id)
    lines = [_line(branch, lanes, forks, ends[branch.id], way) for branch in shown]
    dots = [_fork(turn, lanes[parent], forks[turn], way.get(parent, -1) >= turn) for turn, parent in _forks(shown)]
    heads = [_end(branch, lanes[branch.id], ends[branch.id], len(shown)) for branch in shown]
    width = max(218.0, _LEFT + len(shown) * _LANE + 110)
    return picture(width, max(*ends.values(), *forks.values()) + 20, "The tree of timelines", *lines, *dots, *heads)


def _rows(shown: Sequence[Branch]) -> tuple[dict[int, float], dict[str, float]]:
    """How far down each fork and each end is. A stretch without forks is one step, however many turns it has:
    the picture shows where ways part."""
    forks: dict[int, float] = {}
    ends: dict[str, float] = {}
    y = _TOP
    for turn in sorted({0, *(b.fork_turn for b in shown if b.parent), *(b.turns for b in shown)}):
        if turn == 0 or any(b.parent is not None and b.fork_turn == turn for b in shown):
            forks[turn] = y
            y += _STEP
        for branch in shown:
            if branch.turns == turn:
                ends[branch.id] = y
                y += _END
    return forks, ends


def _unfolded(branches: Sequence[Branch]) -> list[Branch]:
    """Without tellings that led nowhere else; the active one and whatever others grew from are always shown."""
    parents = {branch.parent for branch in branches}
    kept = [
        b for b in branches
        if b.active or b.id in parents or b.reason not in _FOLDED or b.turns > b.fork_turn + 1
    ]  # fmt: skip
    ids = {branch.id for branch in kept}
    return [b if b.parent is None or b.parent in ids else msgspec.structs.replace(b, parent=None) for b in kept]


def _way_here(by_id: dict[str, Branch]) -> dict[str, int]:
    """Each timeline on the way to the active one, with the last turn of it that lies on this way."""
    branch = next((b for b in by_id.values() if b.active), None)
    way: dict[str, int] = {}
    until = branch.turns if branch else 0
    while branch is not None:
        way[branch.id] = until
        until = branch.fork_turn
        branch = by_id.get(branch.parent or "")
    return way


def _line(branch: Branch, lanes: dict[str, int], forks: dict[int, float], end: float, way: dict[str, int]) -> Svg:
    x = _x(lanes[branch.id])
    start = forks[0 if branch.parent is None else branch.fork_turn]
    if branch.parent is None:
        begin, least = f"M{x:g} {start:g}", start
    else:
        least = start + 20
        begin = f"M{_x(lanes[branch.parent]):g} {start:g}C{x:g} {start + 6:g} {x:g} {start + 6:g} {x:g} {least:g}"
    drawn = [
        element("path", d=f"{begin}V{max(end, least):g}", fill="none", stroke=LINE, stroke_width=2.0, class_="way")
    ]
    if branch.id in way:
        here = end if branch.active else forks[way[branch.id]]
        lit = f"{begin}V{max(here, least):g}"
        drawn.append(element("path", d=lit, fill="none", stroke=EMBER, stroke_width=2.0, class_="way here"))
    return element("g", *drawn)


def _forks(shown: Sequence[Branch]) -> list[tuple[int, str]]:
    return sorted({(b.fork_turn, b.parent) for b in shown if b.parent is not None} | {(0, shown[0].id)})


def _fork(turn: int, lane: int, y: float, on_the_way: bool) -> Svg:
    colour = EMBER if on_the_way else FAINT
    return element(
        "circle", element("title", f"turn {turn}" if turn else "the opening"), cx=_x(lane), cy=y, r=4.0,
        fill=GROUND, stroke=colour, stroke_width=2.0, class_="fork here" if on_the_way else "fork",
    )  # fmt: skip


def _end(branch: Branch, lane: int, y: float, lanes: int) -> Svg:
    named = short(branch.name, 16) or branch.id
    x = _LEFT + lanes * _LANE
    return element(
        "g", element("title", f"{branch.name or branch.id}, turn {branch.turns}"),
        element("line", x1=_x(lane) + 8, x2=x - 4, y1=y, y2=y, stroke=LINE, stroke_dasharray="1 4", class_="lead"),
        element("rect", x=_x(lane) - 12, y=y - 14, width=x - _x(lane) + 130, height=28.0, fill="transparent"),
        element(
            "circle", cx=_x(lane), cy=y, r=6.0, fill=EMBER if branch.active else GROUND,
            stroke=EMBER if branch.active else SECOND, stroke_width=2.0, class_="end here" if branch.active else "end",
        ),
        element(
            "text", f"{named} · {branch.turns}", x=x, y=y + 4.5, font_size=14.0,
            fill=TEXT if branch.active else SECOND, font_weight="600" if branch.active else None,
            class_="name here" if branch.active else "name",
        ),
        data_id=branch.id,
    )  # fmt: skip


def _x(lane: int) -> float:
    return _LEFT + lane * _LANE
