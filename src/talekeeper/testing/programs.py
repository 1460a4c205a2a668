"""Random programs over a world: turns, corrections, retellings, forks, journeys, decisions; and after each step a look.

A step is an operation and two numbers, so that any list of them is a program: numbers choose among what there is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from sqlalchemy import Connection

from talekeeper.app.engine import EFFECTS, Engine
from talekeeper.canon.proposals import proposals
from talekeeper.errors import TalekeeperError
from talekeeper.loops.intents import Backtrack, Decide, Direct, Edit, EndScene, Fork, Hear, Roll, Switch, XCard
from talekeeper.loops.scene import commands, travel
from talekeeper.memory.recaps import recaps
from talekeeper.testing import oracle
from talekeeper.testing.comparison import differences, differences_as_of
from talekeeper.timeline import outbox
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import Path, Segment, list_timelines, path
from talekeeper.timeline.vocabulary import PUBLIC, DirectiveGiven, Draft, LineSpoken, NarrationTold
from talekeeper.timeline.worlds import get_world

T = TypeVar("T")
Step = tuple[str, int, int]


class Hand(Protocol):
    """Who makes turns happen: the real loop, or a hand that writes what a loop would."""

    words: Sequence[str]
    holders: Sequence[str]

    async def turn(self, engine: Engine, world: str, a: int, b: int) -> None: ...

    async def retry(self, engine: Engine, world: str, a: int, *, swipe: bool) -> None: ...


OPERATIONS = (
    "turn", "turn", "turn", "turn", "edit", "retry", "swipe", "fork", "backtrack", "undo", "switch", "decide",
    "directive", "end_scene", "roll", "hear", "x_card",
)  # fmt: skip


def random_program(seed: int, length: int) -> list[Step]:
    dice = random.Random(seed)
    return [(dice.choice(OPERATIONS), dice.randrange(1000), dice.randrange(1000)) for _ in range(length)]


class Run:
    """One program on one world. `histories` is the model: each timeline's events as they were first seen."""

    def __init__(self, engine: Engine, world: str, hand: Hand) -> None:
        self._engine = engine
        self._world = world
        self._hand = hand
        self.histories: dict[str, list[Any]] = {}
        self.refused = 0
        self._learn()

    async def steps(self, program: Sequence[Step]) -> list[str]:
        """Runs the program; what did not agree, in sentences."""
        found: list[str] = []
        for step in program:
            try:
                await getattr(self, f"_{step[0]}")(step[1], step[2])
            except TalekeeperError:
                self.refused += (
                    1  # a journey that leads nowhere, a second verdict: refused whole, as the look will show
                )
            self._learn()
            timeline = self._active()
            found += self._look(timeline, step[1], step[2])
            if found:
                return [f"after {step}: {difference}" for difference in found]
        await self._drain(random.Random(len(program)))
        for n, timeline in enumerate(self.histories):
            found += self._look(timeline, n, n) + self._look_back(timeline, n * 31) + self._recaps(timeline)
        return found

    def _learn(self) -> None:
        """Take note of what is new; what was known is never read again, so a change to it will show."""
        for line in self._read(lambda conn: list_timelines(conn, self._world)):
            if line.id not in self.histories:
                inherited = self.histories[line.parent][: line.fork_seq] if line.parent else []
                self.histories[line.id] = list(inherited)
            known = self.histories[line.id]
            if line.head > len(known):
                own = Path(self._world, line.id, (Segment(line.id, len(known), line.head),))
                known.extend(self._read(lambda conn, own=own: list(read_events(conn, own))))  # type: ignore[misc]

    def _look(self, timeline: str, a: int, b: int) -> list[str]:
        history = self.histories[timeline]
        word = self._hand.words[a % len(self._hand.words)]
        holder = self._hand.holders[b % len(self._hand.holders)]
        return self._read(
            lambda conn: differences(conn, self._world, timeline, history, holders=[holder], words=[word])
        )

    def _look_back(self, timeline: str, n: int) -> list[str]:
        history = self.histories[timeline]
        return self._read(lambda conn: differences_as_of(conn, self._world, timeline, history, 1 + n % len(history)))

    def _recaps(self, timeline: str) -> list[str]:
        kept = self._read(lambda conn: recaps(conn, path(conn, self._world, timeline), limit=10_000))
        turns = oracle.turns(self.histories[timeline])
        return (
            [] if [r.turn for r in kept] == turns else [f"{timeline}: recaps {[r.turn for r in kept]}, turns {turns}"]
        )

    async def _drain(self, dice: random.Random) -> None:
        """Effects in any order, some of them twice."""
        jobs = self._read(
            lambda conn: [j for j in outbox.list_jobs(conn, ("pending",), 10_000) if j.world == self._world]
        )
        dice.shuffle(jobs)
        effects = {(effect.name, effect.version): effect for effect in EFFECTS}
        for job in [*jobs, *jobs[::3]]:
            await effects[job.effect, job.version].run(self._engine.store, job)
        for job in jobs:
            await self._engine.store.write(lambda conn, job=job: outbox.finish(conn, job, 0.0))  # type: ignore[misc]

    async def _turn(self, a: int, b: int) -> None:
        await self._hand.turn(self._engine, self._world, a, b)

    async def _retry(self, a: int, _b: int) -> None:
        await self._hand.retry(self._engine, self._world, a, swipe=False)

    async def _swipe(self, a: int, _b: int) -> None:
        await self._hand.retry(self._engine, self._world, a, swipe=True)

    async def _edit(self, a: int, b: int) -> None:
        told = [e.id for e in self._history() if isinstance(e.body, NarrationTold)]
        words = " ".join(self._hand.words[(b + n) % len(self._hand.words)] for n in range(3))
        head = len(self._history()) - (1 if b % 5 == 0 else 0)
        await self._do(
            commands.edit_narration,
            Edit(world=self._world, event=told[a % len(told)], text=f"Rather: {words}.", expected_head=head if b % 2 else None),
        )  # fmt: skip

    async def _fork(self, a: int, b: int) -> None:
        await self._do(travel.fork_timeline, Fork(world=self._world, name=f"if {a}", at=None if b % 3 == 0 else a % 9))

    async def _backtrack(self, a: int, b: int) -> None:
        number = len(oracle.turns(self._history()))
        chosen = a % (number + 2)
        to, back = (chosen, None) if b % 2 else (None, chosen)
        await self._do(travel.backtrack, Backtrack(world=self._world, to=to, back=back))

    async def _undo(self, _a: int, _b: int) -> None:
        await self._do(travel.backtrack, Backtrack(world=self._world))

    async def _switch(self, a: int, _b: int) -> None:
        await self._do(travel.switch, Switch(world=self._world, timeline=f"t{1 + a % (len(self.histories) + 1)}"))

    async def _decide(self, a: int, b: int) -> None:
        past = self._read(lambda conn: path(conn, self._world, self._active(conn)))
        known = self._read(lambda conn: proposals(conn, past))
        if known:
            overrule = b % 4 == 0
            await self._do(
                commands.decide_proposal,
                Decide(
                    world=self._world, proposal=known[a % len(known)].id, decision="accepted" if b % 3 else "rejected",
                    note="so be it" if overrule else "", overrule=overrule,
                    expected_head=len(self._history()) - (1 if b % 7 == 0 else 0),
                ),
            )  # fmt: skip

    async def _directive(self, a: int, b: int) -> None:
        given = [e.id for e in self._history() if isinstance(e.body, DirectiveGiven)]
        lifts = given[a % len(given)] if given and b % 3 == 0 else ""
        await self._do(
            commands.give_directive,
            Direct(
                world=self._world, text="" if lifts and b % 2 else f"More {a}.", priority=a % 5, scene_only=b % 2 == 0,
                turns=a % 4 if b % 5 == 0 else None, lifts=lifts,
            ),
        )  # fmt: skip

    async def _end_scene(self, _a: int, _b: int) -> None:
        await self._do(commands.close_scene, EndScene(world=self._world, reason="enough"))

    async def _roll(self, a: int, b: int) -> None:
        await self._do(commands.roll_dice, Roll(world=self._world, notation=f"{1 + a % 3}d6", secret=b % 2 == 0))

    async def _hear(self, a: int, b: int) -> None:
        word = self._hand.words[b % len(self._hand.words)]
        cry = LineSpoken(speaker="person/crier", text=f"Hear ye: {word}!")
        draft = Draft(body=cry, by="person/crier", witnesses=PUBLIC, idem=f"cry-{a % 4}")
        await self._do(commands.hear, Hear(world=self._world, scene="t1/s99", drafts=(draft, draft)))

    async def _x_card(self, a: int, b: int) -> None:
        await self._do(commands.play_x_card, XCard(world=self._world, rewind=b % 2 == 0, note=f"no more {a}"))

    async def _do(self, carry_out: Callable[..., Any], intent: Any) -> None:
        await self._engine.command(carry_out, intent)

    def _history(self) -> list[Any]:
        return self.histories[self._active()]

    def _active(self, conn: Connection | None = None) -> str:
        if conn is not None:
            return get_world(conn, self._world).active
        return self._read(lambda c: get_world(c, self._world).active)

    def _read(self, work: Callable[[Connection], T]) -> T:
        return self._engine.store.read_now(work)
