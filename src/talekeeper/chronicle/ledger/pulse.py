"""The chat's pulse: how much was said when, where it fell silent, when the companion spoke, what may be a clip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..book import dates
from ..book.palette import LIGHT
from ..escape import escape_html
from .discussion import Spoken
from .one_line import one_line
from .record import LedgerRecord, PulseBin

_STEPS = (10.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0)
_MOST_BINS = 180
_LONG_SILENCE = 600.0
WIDTH, NARROW = 760.0, 440.0
_EDGE, _TOP, _BASE, _HEIGHT = 12.0, 34.0, 150.0, 186.0

Colours = Mapping[str, str] | None


def pulse(lines: Iterable[Spoken], started: float, ended: float) -> tuple[PulseBin, ...]:
    """Bins of one round length over the whole session; lines outside it are left out."""
    length = max(ended - started, 1.0)
    step = next((one for one in _STEPS if length / one <= _MOST_BINS), length / _MOST_BINS)
    count = max(1, -int(-length // step))
    said = [0] * count
    speakers: list[set[str]] = [set() for _ in range(count)]
    for line in lines:
        if started <= line.at <= started + length:
            slot = min(count - 1, int((line.at - started) / step))
            said[slot] += 1
            speakers[slot].add(line.name)
    return tuple(PulseBin(started + slot * step, said[slot], len(speakers[slot])) for slot in range(count))


def silences(record: LedgerRecord) -> list[tuple[float, float]]:
    """The long ones, from and to."""
    found: list[tuple[float, float]] = []
    since: float | None = None
    for one in (*record.pulse, None):
        if one is not None and one.lines == 0:
            since = one.start if since is None else since
        elif since is not None:
            until = _end(record) if one is None else one.start
            if until - since >= _LONG_SILENCE:
                found.append((since, until))
            since = None
    return found


def pulse_picture(record: LedgerRecord, colours: Colours = None, width: float = WIDTH) -> str:
    """SVG in the page's colours, or in the given ones. Empty if there is nothing to draw."""
    return _Picture(record, colours, width).drawn() if record.pulse else ""


def _end(record: LedgerRecord) -> float:
    last = record.pulse[-1].start
    step = record.pulse[1].start - record.pulse[0].start if len(record.pulse) > 1 else 1.0
    return last + step


class _Picture:
    def __init__(self, record: LedgerRecord, colours: Colours, width: float) -> None:
        self._record, self._colours, self._width = record, colours, width
        self._begin, self._end = record.pulse[0].start, _end(record)
        self._room = width - 2 * _EDGE

    def drawn(self) -> str:
        record, quiet = self._record, silences(self._record)
        parts = [self._axis(), *(self._silence(*one) for one in quiet), self._bars()]
        parts += [
            self._clip(clip.peak, f"Clip candidate {dates.clock(clip.peak)}: {clip.reason}") for clip in record.clips
        ]
        parts += [self._prompt(one.at, f"Spoke {dates.clock(one.at)}: {one.description}") for one in record.prompts]
        label = (
            f"The chat's pulse: {sum(one.lines for one in record.pulse)} lines, {len(quiet)} long silences, "
            f"{len(record.prompts)} times the companion spoke, {len(record.clips)} clip candidates"
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self._width:.0f} {_HEIGHT:.0f}" role="img" '
            f'aria-label="{escape_html(label)}" font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
        )

    def _x(self, at: float) -> float:
        return _EDGE + self._room * min(1.0, max(0.0, (at - self._begin) / (self._end - self._begin)))

    def _axis(self) -> str:
        line = (
            f'<line x1="{_EDGE}" y1="{_BASE}" x2="{self._width - _EDGE}" y2="{_BASE}" {self._ink("stroke", "line")}/>'
        )
        labels = []
        for step in range(5):
            at = self._begin + (self._end - self._begin) * step / 4
            anchor = "start" if step == 0 else "end" if step == 4 else "middle"
            place = f'x="{self._x(at):.1f}" y="{_HEIGHT - 10}" font-size="14" text-anchor="{anchor}"'
            labels.append(f"<text {place} {self._ink('fill', 'faint')}>{dates.clock(at)}</text>")
        return line + "".join(labels)

    def _bars(self) -> str:
        bins = self._record.pulse
        most = max(1, *(one.lines for one in bins))
        room = self._room / len(bins)
        path = "".join(
            f"M{_EDGE + (slot + 0.5) * room:.1f} {_BASE:.0f}v{-(_BASE - _TOP - 12) * one.lines / most:.1f}"
            for slot, one in enumerate(bins)
            if one.lines
        )
        return f'<path d="{path}" {self._ink("stroke", "ember")} stroke-width="{max(1.5, room * 0.7):.1f}" opacity="0.85"/>'

    def _silence(self, begin: float, end: float) -> str:
        left, right = self._x(begin), self._x(end)
        minutes = round((end - begin) / 60)
        words = f"{minutes} min" if right - left > 60 else ""
        return (
            f'<g><rect x="{left:.1f}" y="{_TOP}" width="{right - left:.1f}" height="{_BASE - _TOP - 1}" rx="4" '
            f'{self._ink("fill", "line")} opacity="0.45"/>'
            f'<text x="{(left + right) / 2:.1f}" y="{(_TOP + _BASE) / 2:.1f}" font-size="14" text-anchor="middle" '
            f"{self._ink('fill', 'second')}>{words}</text><title>{minutes} minutes of silence</title></g>"
        )

    def _prompt(self, at: float, title: str) -> str:
        return _marked(f'<path d="M{self._x(at):.1f} 12l9 9-9 9-9-9z" {self._ink("fill", "speech")}/>', title)

    def _clip(self, at: float, title: str) -> str:
        flag = f"M{self._x(at):.1f} {_BASE}V{_TOP - 26}l18 8-18 8"
        drawn = (
            f'<path d="{flag}" fill="none" {self._ink("stroke", "good")} stroke-width="2.5" stroke-linejoin="round"/>'
        )
        return _marked(drawn, title)

    def _ink(self, what: str, name: str) -> str:
        colours = self._colours
        return f'{what}="{colours[name]}"' if colours else f'style="{what}:var(--{name},{LIGHT[name]})"'


def _marked(drawn: str, title: str) -> str:
    return f"<g>{drawn}<title>{escape_html(one_line(title)[:200])}</title></g>"
