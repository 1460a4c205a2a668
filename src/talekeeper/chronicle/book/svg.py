"""Pictures in SVG: lanes of activity with ribbons of arcs, a curve of fortune, one arc. Colours are the page's variables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from ..escape import escape_html
from ..valence import VALENCE, Curve
from . import dates
from .model import ArcTold, Book, Mark
from .palette import LIGHT

WIDTH = 1000.0
_LEFT, _RIGHT, _LANE, _TOP = 170.0, 16.0, 34.0, 30.0
_BINS = 160
_MOST_LANES = 12
_RIBBONS = 8
_DRAMA = frozenset({"error", "recovery", "abandon", "pr_merge", "milestone", "collab"})
_HURTS = frozenset(
    {"error", "chat_flagged", "harmed", "deceived", "robbed", "oath_broken", "died", "failure", "disaster"}
)
_HEALS = frozenset({"recovery", "reconciled", "oath_kept", "helped", "success", "triumph"})
Colours = Mapping[str, str] | None


def lanes(book: Book, colours: Colours = None) -> str:
    """One lane for each of the busiest, bars for how much, marks for what stood out, ribbons for the arcs."""
    if not book.marks:
        return ""
    counts: dict[str, int] = {}
    for one in book.marks:
        counts[one.agent] = counts.get(one.agent, 0) + 1
    shown = sorted(counts, key=lambda agent: (-counts[agent], agent))[:_MOST_LANES]
    row = {agent: index for index, agent in enumerate(shown)}
    scale = _Scale(book.begin, book.end)
    height = _TOP + _LANE * len(shown) + 30
    parts = [_ruler(scale, height, colours)]
    best = sorted(book.arcs, key=lambda arc: -arc.score)[:_RIBBONS]
    parts += [_ribbon(arc, row, scale, colours) for arc in best]
    for agent, index in row.items():
        middle = _TOP + _LANE * index + _LANE / 2
        theirs = [one for one in book.marks if one.agent == agent]
        parts.append(_text(_LEFT - 10, middle + 4, _short(agent), "second", colours, anchor="end", size=13))
        parts.append(_bars(theirs, scale, middle, colours))
        parts += [_symbol(one, scale.x(one.at), middle, colours) for one in _sparse(theirs, scale)]
    label = f"{len(book.marks)} events of {len(counts)} {book.lanes_of}, {dates.span(book.begin, book.end)}"
    return _svg(height, label, "".join(parts))


def arc_picture(arc: ArcTold, colours: Colours = None) -> str:
    """The events of one arc on a line, with the curve of its fortune behind them."""
    height, middle = 92.0, 60.0
    scale = _Scale(arc.begin, arc.end)
    line = f'<line x1="{_LEFT}" y1="{middle}" x2="{WIDTH - _RIGHT}" y2="{middle}" {_stroke("line", colours)}/>'
    parts = [line]
    if arc.curve is not None:
        parts.append(_curve_path(arc.curve, scale, 12.0, 48.0, colours))
    parts += [_symbol(one, scale.x(one.at), middle, colours, large=True) for one in arc.marks]
    parts.append(_text(_LEFT - 10, middle + 4, _short(arc.title), "ember", colours, anchor="end", size=13))
    parts.append(
        _text(_LEFT, height - 6, f"{dates.day(arc.begin)}, {dates.clock(arc.begin)}", "faint", colours, size=11)
    )
    if arc.end > arc.begin:
        end = f"{dates.day(arc.end)}, {dates.clock(arc.end)}"
        parts.append(_text(WIDTH - _RIGHT, height - 6, end, "faint", colours, anchor="end", size=11))
    return _svg(height, f"{arc.title}: {arc.sentence.text}", "".join(parts))


def curve_picture(curve: Curve, label: str, colours: Colours = None) -> str:
    """Fortune over time, small enough to stand beside a name."""
    scale = _Scale(curve.points[0][0], curve.points[-1][0], left=4.0, right=4.0, width=240.0)
    return _svg(44.0, f"{label}: {curve.shape}", _curve_path(curve, scale, 4.0, 40.0, colours), width=240.0)


def standalone(picture: str) -> str:
    """As a file of its own: no page lends it colours."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + picture


class _Scale:
    def __init__(
        self, begin: float, end: float, left: float = _LEFT, right: float = _RIGHT, width: float = WIDTH
    ) -> None:
        self.begin, self.end = begin, end
        self._left, self._room = left, width - left - right

    def x(self, at: float) -> float:
        if self.end <= self.begin:
            return self._left + self._room / 2
        return self._left + self._room * (at - self.begin) / (self.end - self.begin)


def _ruler(scale: _Scale, height: float, colours: Colours) -> str:
    parts = []
    same_day = dates.iso_day(scale.begin) == dates.iso_day(scale.end)
    for step in range(5):
        at = scale.begin + (scale.end - scale.begin) * step / 4
        x = scale.x(at)
        anchor = "start" if step == 0 else "end" if step == 4 else "middle"
        parts.append(
            f'<line x1="{x:.1f}" y1="{_TOP - 8}" x2="{x:.1f}" y2="{height - 22:.1f}" {_stroke("line", colours)}/>'
        )
        parts.append(
            _text(
                x, height - 6, dates.clock(at) if same_day else dates.day(at), "faint", colours, anchor=anchor, size=11
            )
        )
        if scale.end <= scale.begin:
            break
    return "".join(parts)


def _bars(marks: Sequence[Mark], scale: _Scale, middle: float, colours: Colours) -> str:
    bins: dict[int, int] = {}
    width = (WIDTH - _LEFT - _RIGHT) / _BINS
    for one in marks:
        slot = min(_BINS - 1, int((scale.x(one.at) - _LEFT) / width))
        bins[slot] = bins.get(slot, 0) + 1
    most = max(bins.values())
    path = "".join(
        f"M{_LEFT + slot * width + width / 2:.1f} {middle - 3 - 9 * count / most:.1f}V{middle + 3 + 9 * count / most:.1f}"
        for slot, count in sorted(bins.items())
    )
    return f'<path d="{path}" {_stroke("faint", colours)} stroke-width="{max(2.0, width * 0.6):.1f}" opacity="0.55"/>'


def _sparse(marks: Sequence[Mark], scale: _Scale) -> list[Mark]:
    """What stood out, at most one mark for each few pixels, the strongest of them."""
    places: dict[int, Mark] = {}
    for one in marks:
        if one.kind in _DRAMA:
            place = int(scale.x(one.at) / 9)
            if place not in places or abs(VALENCE.get(one.kind, 0)) > abs(VALENCE.get(places[place].kind, 0)):
                places[place] = one
    return list(places.values())


def _ribbon(arc: ArcTold, row: Mapping[str, int], scale: _Scale, colours: Colours) -> str:
    points = [(scale.x(one.at), _TOP + _LANE * row[one.agent] + _LANE / 2) for one in arc.marks if one.agent in row]
    if not points:
        return ""
    if len(points) == 1 or points[0][0] == points[-1][0]:
        points.append((points[0][0] + 6, points[-1][1]))
    path = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in pairwise(points):
        half = (x0 + x1) / 2
        path += f"C{half:.1f} {y0:.1f} {half:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
    colour = "good" if arc.curve is not None and arc.curve.end >= 0 else "bad"
    # A silence is where nothing happened: dots, so that it is not taken for work.
    dots = ' stroke-dasharray="0.1 18"' if arc.name == "the_long_silence" else ""
    return (
        f'<path d="{path}" fill="none" {_stroke(colour, colours)} stroke-width="12" stroke-linecap="round" opacity="0.35"{dots}>'
        f"<title>{escape_html(arc.title)}: {escape_html(arc.sentence.text)}</title></path>"
    )


def _curve_path(curve: Curve, scale: _Scale, top: float, bottom: float, colours: Colours) -> str:
    heights = [0.0, *(fortune for _, fortune in curve.points)]
    low, high = min(heights), max(heights)
    spread = (high - low) or 1.0
    points = [(curve.points[0][0], 0.0), *curve.points]
    path = "L".join(
        f"{scale.x(at):.1f} {bottom - (bottom - top) * (fortune - low) / spread:.1f}" for at, fortune in points
    )
    zero = bottom - (bottom - top) * (0.0 - low) / spread
    colour = "good" if curve.end >= 0 else "bad"
    begin, end = scale.x(scale.begin), scale.x(scale.end)
    return (
        f'<line x1="{begin:.1f}" y1="{zero:.1f}" x2="{end:.1f}" y2="{zero:.1f}" {_stroke("line", colours)} stroke-dasharray="3 4"/>'
        f'<path d="M{path}" fill="none" {_stroke(colour, colours)} stroke-width="2" stroke-linejoin="round"/>'
    )


def _symbol(mark: Mark, x: float, y: float, colours: Colours, *, large: bool = False) -> str:
    """Shape and colour both say what it was, so that neither is needed alone."""
    r = 7.0 if large else 5.0
    left, right, top, bottom = f"{x - r:.1f}", f"{x + r:.1f}", f"{y - r:.1f}", f"{y + r:.1f}"
    if mark.kind in _HURTS:
        cross = f"M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}"
        drawn = f'<path d="{cross}" fill="none" {_stroke("bad", colours)} stroke-width="2.5"/>'
    elif mark.kind == "abandon":
        drawn = f'<path d="M{left} {top}H{right}L{x:.1f} {bottom}Z" {_fill("bad", colours)}/>'
    elif mark.kind in _HEALS:
        drawn = f'<path d="M{left} {bottom}H{right}L{x:.1f} {top}Z" {_fill("good", colours)}/>'
    elif mark.kind == "pr_merge":
        diamond = f"M{x:.1f} {top}L{right} {y:.1f}L{x:.1f} {bottom}L{left} {y:.1f}Z"
        drawn = f'<path d="{diamond}" {_fill("good", colours)}/>'
    elif mark.kind == "milestone":
        flag = f"M{left} {bottom}V{y - r * 1.6:.1f}L{right} {y - r * 0.8:.1f}L{left} {y:.1f}Z"
        drawn = f'<path d="{flag}" {_fill("ember", colours)}/>'
    else:
        drawn = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r * 0.7:.1f}" {_fill("speech", colours)}/>'
    return f"<g>{drawn}<title>{escape_html(f'{mark.agent}, {mark.kind}: {mark.text}'[:200])}</title></g>"


def _svg(height: float, label: str, inner: str, width: float = WIDTH) -> str:
    name = escape_html(label)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" role="img" aria-label="{name}" '
        f'font-family="system-ui, sans-serif">{inner}</svg>'
    )


def _text(
    x: float, y: float, words: str, colour: str, colours: Colours, *, anchor: str = "start", size: int = 12
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}"'
    return f"<text {place} {_fill(colour, colours)}>{escape_html(words)}</text>"


def _fill(name: str, colours: Colours) -> str:
    return f'fill="{colours[name]}"' if colours else f'style="fill:var(--{name},{LIGHT[name]})"'


def _stroke(name: str, colours: Colours) -> str:
    return f'stroke="{colours[name]}"' if colours else f'style="stroke:var(--{name},{LIGHT[name]})"'


def _short(name: str) -> str:
    return name if len(name) <= 22 else name[:21] + "…"
