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
_WIDTH, _LEFT, _RIGHT, _TOP, _BASE, _HEIGHT = 1000.0, 12.0, 12.0, 34.0, 150.0, 186.0

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


def pulse_picture(record: LedgerRecord, colours: Colours = None) -> str:
    """SVG in the page's colours, or in the given ones. Empty if there is nothing to draw."""
    if not record.pulse:
        return ""
    parts = [_axis(record, colours)]
    parts += [_silence(record, *one, colours) for one in silences(record)]
    parts.append(_bars(record, colours))
    for clip in record.clips:
        parts.append(_clip(_x(record, clip.peak), f"Clip candidate {dates.clock(clip.peak)}: {clip.reason}", colours))
    for one in record.prompts:
        parts.append(_prompt(_x(record, one.at), f"Spoke {dates.clock(one.at)}: {one.description}", colours))
    total = sum(one.lines for one in record.pulse)
    label = (
        f"The chat's pulse: {total} lines, {len(silences(record))} long silences, "
        f"{len(record.prompts)} times the companion spoke, {len(record.clips)} clip candidates"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" '
        f'aria-label="{escape_html(label)}" font-family="system-ui, sans-serif">{"".join(parts)}</svg>'
    )


def _end(record: LedgerRecord) -> float:
    last = record.pulse[-1].start
    step = record.pulse[1].start - record.pulse[0].start if len(record.pulse) > 1 else 1.0
    return last + step


def _x(record: LedgerRecord, at: float) -> float:
    begin, end = record.pulse[0].start, _end(record)
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * min(1.0, max(0.0, (at - begin) / (end - begin)))


def _axis(record: LedgerRecord, colours: Colours) -> str:
    begin, end = record.pulse[0].start, _end(record)
    parts = [
        f'<line x1="{_LEFT}" y1="{_BASE}" x2="{_WIDTH - _RIGHT}" y2="{_BASE}" {_ink("stroke", "line", colours)} stroke-width="2"/>'
    ]
    for step in range(5):
        at = begin + (end - begin) * step / 4
        anchor = "start" if step == 0 else "end" if step == 4 else "middle"
        parts.append(
            f'<text x="{_x(record, at):.1f}" y="{_HEIGHT - 10}" font-size="14" text-anchor="{anchor}" '
            f"{_ink('fill', 'faint', colours)}>{dates.clock(at)}</text>"
        )
    return "".join(parts)


def _bars(record: LedgerRecord, colours: Colours) -> str:
    most = max(1, *(one.lines for one in record.pulse))
    room = (_WIDTH - _LEFT - _RIGHT) / len(record.pulse)
    path = "".join(
        f"M{_LEFT + (slot + 0.5) * room:.1f} {_BASE:.0f}v{-(_BASE - _TOP - 12) * one.lines / most:.1f}"
        for slot, one in enumerate(record.pulse)
        if one.lines
    )
    return f'<path d="{path}" {_ink("stroke", "ember", colours)} stroke-width="{max(1.5, room * 0.7):.1f}" opacity="0.85"/>'


def _silence(record: LedgerRecord, begin: float, end: float, colours: Colours) -> str:
    left, right = _x(record, begin), _x(record, end)
    minutes = round((end - begin) / 60)
    words = f"{minutes} min" if right - left > 60 else ""
    return (
        f'<g><rect x="{left:.1f}" y="{_TOP}" width="{right - left:.1f}" height="{_BASE - _TOP - 1}" rx="4" '
        f'{_ink("fill", "line", colours)} opacity="0.45"/>'
        f'<text x="{(left + right) / 2:.1f}" y="{(_TOP + _BASE) / 2:.1f}" font-size="14" text-anchor="middle" '
        f"{_ink('fill', 'second', colours)}>{words}</text><title>{minutes} minutes of silence</title></g>"
    )


def _prompt(x: float, title: str, colours: Colours) -> str:
    diamond = f"M{x:.1f} 12l9 9-9 9-9-9z"
    return _marked(f'<path d="{diamond}" {_ink("fill", "speech", colours)}/>', title)


def _clip(x: float, title: str, colours: Colours) -> str:
    flag = f"M{x:.1f} {_BASE}V{_TOP - 26}l18 8-18 8"
    return _marked(
        f'<path d="{flag}" fill="none" {_ink("stroke", "good", colours)} stroke-width="2.5" stroke-linejoin="round"/>',
        title,
    )


def _marked(drawn: str, title: str) -> str:
    return f"<g>{drawn}<title>{escape_html(one_line(title)[:200])}</title></g>"


def _ink(what: str, name: str, colours: Colours) -> str:
    return f'{what}="{colours[name]}"' if colours else f'style="{what}:var(--{name},{LIGHT[name]})"'
