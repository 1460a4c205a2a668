"""Events of a thread gathered into sentences: a run of commits is one, a fall or a merge stands alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from ..event import EventKind
from ..phrases import PHRASES, WITHOUT_DETAIL
from ..sentence import one_line
from ..sifter.record import Record
from ..sifter.template import quoted
from .model import Sentence
from .words import names, task_name

_REVERT = re.compile(r"\ARevert\s+[\"“](.+)[\"”]\s*\Z", re.DOTALL)
_QUIET = frozenset({"heartbeat", "idle", "push"})
_PIECES = 4

_PAIR = (
    "{agent} wrote {first} and {last}{on}.",
    "Two pieces came from {agent}{on}: {first} and {last}.",
)
_PAIR_MORE = (
    "Two more{on}: {first} and {last}.",
    "Then came {first} and {last}{on}.",
)
_RUN = (
    "{agent} worked{on} through {count} commits, from {first} to {last}.",
    "{agent} laid {count} stones{on}, beginning with {first} and ending with {last}.",
    "{agent} spent {count} commits{on}, {first} the first and {last} the last.",
)
_RUN_MORE = (
    "{count} more commits{on} led from {first} to {last}.",
    "Then {count} commits{on}, {first} the first and {last} the last.",
    "After that it was {count} commits{on}, up to {last}.",
)
_SINGLE = (
    "{agent} set down {pieces}.",
    "{agent} added {pieces}.",
    "From {agent} came {pieces}.",
)
_TAKEN_BACK = (
    "{agent} took back “{detail}”{whose}.",
    "{agent} thought better of “{detail}”{whose}.",
    "{agent} undid “{detail}”{whose}.",
)
_SINGLE_MORE = (
    "Smaller pieces: {pieces}.",
    "In between: {pieces}.",
    "And besides: {pieces}.",
)


class Prose:
    """Turns phrasings as it goes, so that neighbours do not sound alike; the same events give the same text."""

    def __init__(self) -> None:
        self._turns: Counter[str] = Counter()

    def paragraphs(self, records: Sequence[Record], most: int = 40) -> list[tuple[Sentence, ...]]:
        """One for each agent, in order of appearance; quiet events are told only where there is nothing else."""
        loud = [record for record in records if record.kind not in _QUIET] or list(records)
        by_agent: dict[str, list[Record]] = {}
        for record in loud:
            by_agent.setdefault(str(record.get("agent") or "someone"), []).append(record)
        busiest = sorted(by_agent, key=lambda agent: -len(by_agent[agent]))[:most]
        kept = [agent for agent in by_agent if agent in set(busiest)]
        each = max(2, most // len(kept))
        paragraphs = [tuple(self._paragraph(agent, by_agent[agent], each)) for agent in kept]
        left = [record for agent, theirs in by_agent.items() if agent not in set(busiest) for record in theirs]
        if left:
            others = sorted(set(by_agent) - set(busiest))
            text = f"{names(others, 6)} left {counted(left)} besides."
            paragraphs.append((Sentence(text, tuple(record.id for record in left)),))
        return paragraphs

    def _paragraph(self, agent: str, records: list[Record], most: int) -> list[Sentence]:
        runs: dict[str, list[Record]] = {}
        for record in records:
            if record.kind == "commit":
                runs.setdefault(task_name(record), []).append(record)
        pieces = [run[0] for run in runs.values() if len(run) == 1]
        long = [(task, run) for task, run in runs.items() if len(run) > 1]
        loose = sorted(long, key=lambda entry: -len(entry[1]))[max(1, most // 2) :]
        pieces += [record for _, run in loose for record in run]
        told: list[tuple[float, str, list[Record]]] = [
            (run[0].at, task, run) for task, run in long if (task, run) not in loose
        ]
        told += [(group[0].at, "", group) for group in _grouped([r for r in records if r.kind != "commit"], most)]
        sentences: list[Sentence] = []
        for _, task, group in sorted(told, key=lambda entry: entry[0]):
            if group[0].kind == "commit":
                sentences.append(self._run(agent, task, group, first=not sentences))
            else:
                sentences.append(self._single(group))
        if pieces:
            sentences.append(self._pieces(agent, sorted(pieces, key=lambda record: record.at), first=not sentences))
        return sentences

    def _run(self, agent: str, task: str, run: list[Record], first: bool) -> Sentence:
        pair = len(run) == 2
        choice = (_PAIR if first else _PAIR_MORE) if pair else (_RUN if first else _RUN_MORE)
        text = self._next(f"{pair}{first}", choice).format(
            agent=agent, first=quoted(run[0]), last=quoted(run[-1]), count=len(run), on=f" on {task}" if task else ""
        )
        return Sentence(text, tuple(record.id for record in run))

    def _pieces(self, agent: str, pieces: list[Record], first: bool) -> Sentence:
        shown = [f"{quoted(one)} ({task_name(one)})" if task_name(one) else quoted(one) for one in pieces[:_PIECES]]
        if len(pieces) > _PIECES:
            shown.append(f"{len(pieces) - _PIECES} more")
        text = self._next(f"pieces{first}", _SINGLE if first else _SINGLE_MORE).format(
            agent=agent, pieces=names(shown, 9)
        )
        return Sentence(text, tuple(record.id for record in pieces))

    def _single(self, group: list[Record]) -> Sentence:
        record, ids = group[0], tuple(one.id for one in group)
        agent, kind = str(record.get("agent") or "someone"), record.kind
        undone = (
            _REVERT.match(str(record.fields.get("detail") or "")) if kind == "abandon" and len(group) == 1 else None
        )
        if undone:
            other = record.fields.get("of")
            whose = f", which was {other}'s" if other and other != agent else ""
            phrase = self._next("taken back", _TAKEN_BACK)
            return Sentence(phrase.format(agent=agent, detail=one_line(undone.group(1)), whose=whose), ids)
        bare = not record.fields.get("detail")
        if kind not in set(EventKind):
            return Sentence(f"{agent}: {quoted(record)}.", ids)
        phrases = WITHOUT_DETAIL.get(EventKind(kind), PHRASES[EventKind(kind)]) if bare else PHRASES[EventKind(kind)]
        shown = kind.replace("_", " ") if bare else quoted(record)
        if len(group) > 1:
            shown += f" and {len(group) - 1} more of the kind"
        return Sentence(self._next(kind, phrases).format(agent=agent, detail=shown), ids)

    def _next(self, name: str, phrases: Sequence[str]) -> str:
        turn = self._turns[name]
        self._turns[name] += 1
        return phrases[turn % len(phrases)]


def _grouped(records: list[Record], most: int) -> list[list[Record]]:
    """One by one while there are few, else those of one kind together."""
    if len(records) <= most:
        return [[record] for record in records]
    groups: dict[str, list[Record]] = {}
    for record in records:
        groups.setdefault(record.kind, []).append(record)
    return list(groups.values())


def counted(records: Sequence[Record]) -> str:
    """`12 commits, 3 merges and 1 error`; the quiet ones are left out."""
    counts = Counter(record.kind for record in records if record.kind not in _QUIET)
    parts = [
        f"{count:,} {_word(kind, count)}"
        for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:5]
    ]
    return names(parts, 5) if parts else "quiet hours"


_WORDS = {
    "dispatch": "errand", "pr_open": "pull request", "pr_merge": "merge", "abandon": "retreat", "collab": "joint effort",
}  # fmt: skip


def _word(kind: str, count: int) -> str:
    word = _WORDS.get(kind, kind.replace("_", " "))
    if count == 1:
        return word
    return word[:-1] + "ies" if word.endswith("y") else word + "s"
