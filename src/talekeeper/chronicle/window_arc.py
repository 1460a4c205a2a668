"""The one arc a short window of fleet events tells, by precedence: recovery, retry, sprint, convergence, grind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .event import AgentEvent, EventKind
from .sentence import Escape, one_line
from .task import task_of

K = EventKind

_SPRINT = (K.DISPATCH, K.COMMIT, K.PR_OPEN, K.PR_MERGE)
_DRAMA = frozenset({K.ERROR, K.RECOVERY, K.ABANDON})
_ASIDE = frozenset({K.HEARTBEAT, K.IDLE})
_GRIND = 2


class WindowArc(NamedTuple):
    name: str
    text: str
    events: tuple[AgentEvent, ...]


def find_arc(
    events: Sequence[AgentEvent], named: Sequence[str | None] | None = None, escape: Escape | None = None
) -> WindowArc | None:
    """`named` is what each event itself says it is about, when the caller already knows."""
    safe = escape or str
    about = _tasks(events, named or [task_of(event.detail, event.metadata) for event in events])
    kinds = {event.kind for event in events}
    found: WindowArc | None = None
    if K.RECOVERY in kinds and K.ERROR in kinds:
        found = _recovery(events, about, safe)
    if found is None and K.ABANDON in kinds and K.DISPATCH in kinds:
        found = _retry(events, about, safe)
    if found is None and kinds.issuperset(_SPRINT):
        found = _sprint(events, about, safe)
    if found is None and K.COLLABORATION in kinds:
        found = _convergence(events, safe)
    if found is None and K.COMMIT in kinds and not kinds & _DRAMA:
        found = _grind(events, safe)
    return found


def _tasks(events: Sequence[AgentEvent], named: Sequence[str | None]) -> list[str | None]:
    """The task of each event; one that names none goes on with what its agent was last sent to do."""
    current: dict[str, str] = {}
    tasks: list[str | None] = []
    for event, task in zip(events, named, strict=True):
        if task is None:
            task = None if event.kind is K.DISPATCH else current.get(event.agent)
        elif event.kind is K.DISPATCH:
            current[event.agent] = task
        tasks.append(task)
    return tasks


def _recovery(events: Sequence[AgentEvent], about: list[str | None], safe: Escape) -> WindowArc | None:
    """The latest recovery that answers an error: its own agent's before another's."""
    opened: list[int] = []
    found: tuple[int, int] | None = None
    for index, event in enumerate(events):
        if event.kind is K.ERROR:
            opened.append(index)
        elif event.kind is K.RECOVERY:
            fitting = [i for i in opened if about[i] == about[index] or about[i] is None or about[index] is None]
            own = [i for i in fitting if events[i].agent == event.agent]
            if own or fitting:
                found = ((own or fitting)[-1], index)
                opened = [i for i in opened if i not in (own or fitting)]
    if found is None:
        return None
    blow, rise = events[found[0]], events[found[1]]
    hero, fallen = _name(rise.agent, safe), _name(blow.agent, safe)
    trouble, answer = _what(blow, safe, "the way was blocked"), _what(rise, safe, "the work could go on")
    ending = "held on, and came through" if hero == fallen else f"and {hero} came to the rescue"
    text = f"This is a tale of struggle and recovery: {fallen} met trouble ({trouble}), {ending} ({answer})."
    return WindowArc("struggle_and_recovery", text, (blow, rise))


def _retry(events: Sequence[AgentEvent], about: list[str | None], safe: Escape) -> WindowArc | None:
    for late in range(len(events) - 1, -1, -1):
        if events[late].kind is not K.DISPATCH:
            continue
        for early in range(late - 1, -1, -1):
            left, again = events[early], events[late]
            if left.kind is not K.ABANDON or not _same_work(left, again, about[early], about[late]):
                continue
            one, other = _name(left.agent, safe), _name(again.agent, safe)
            work = safe(about[late] or about[early] or "") or "the work"
            who = f"{one} came back to it" if one == other else f"{other} took it up again"
            text = f"This is a tale of a second try: {one} had walked away from {work}, and then {who}."
            return WindowArc("abandon_then_retry", text, (left, again))
    return None


def _same_work(left: AgentEvent, again: AgentEvent, one: str | None, other: str | None) -> bool:
    if one is not None and other is not None:
        return one == other
    return left.agent == again.agent or (one is other and left.detail != "" and left.detail == again.detail)


def _sprint(events: Sequence[AgentEvent], about: list[str | None], safe: Escape) -> WindowArc | None:
    """One agent alone, from errand to merge in order, and no error left open when it was merged."""
    if len(_agents(events)) != 1:
        return None
    steps: list[AgentEvent] = []
    trouble = False
    for event in events:
        if event.kind is K.ERROR:
            trouble = True
        elif event.kind is K.RECOVERY:
            trouble = False
        if len(steps) < len(_SPRINT) and event.kind is _SPRINT[len(steps)]:
            if len(steps) == len(_SPRINT) - 1 and trouble:
                continue
            steps.append(event)
    if len(steps) < len(_SPRINT) or trouble:
        return None
    runner = _name(steps[0].agent, safe)
    work = safe(next((task for task in about if task), "")) or "the work"
    text = f"This is the tale of a solo sprint: {runner} carried {work} from errand to merge alone."
    return WindowArc("solo_sprint", text, tuple(steps))


def _convergence(events: Sequence[AgentEvent], safe: Escape) -> WindowArc | None:
    agents = _agents(events)
    if len(agents) < 2:
        return None
    names = [_name(agent, safe) for agent in agents]
    company = f"{', '.join(names[:-1])} and {names[-1]}"
    meeting = tuple(event for event in events if event.kind is K.COLLABORATION)
    return WindowArc(
        "fleet_convergence", f"This is the tale of a fleet converging: {company} met in one piece of work.", meeting
    )


def _grind(events: Sequence[AgentEvent], safe: Escape) -> WindowArc | None:
    work = tuple(event for event in events if event.kind is K.COMMIT)
    if len(work) < _GRIND:
        return None
    agents = _agents(work)
    who = _name(agents[0], safe) if len(agents) == 1 else f"{len(agents)} agents"
    text = f"This is the tale of a silent grind: {len(work)} commits by {who}, one after another, and no drama."
    return WindowArc("silent_grind", text, work)


def _agents(events: Sequence[AgentEvent]) -> list[str]:
    return list(dict.fromkeys(event.agent for event in events if event.kind not in _ASIDE))


def _name(agent: str, safe: Escape) -> str:
    return safe(one_line(agent))


def _what(event: AgentEvent, safe: Escape, otherwise: str) -> str:
    return safe(one_line(event.detail)) or otherwise
