"""Two ways to make turns happen for random programs: by the real loop, and by hand without one."""

from __future__ import annotations

import random
from collections.abc import Sequence

from sqlalchemy import Connection

from talekeeper.app.engine import Engine
from talekeeper.loops.creation import create_empty
from talekeeper.loops.intents import Act, Retry
from talekeeper.loops.running import RunningTurn
from talekeeper.loops.scene.acceptance import accept_action
from talekeeper.loops.scene.canonize import canonize
from talekeeper.loops.scene.persist_turn import persist_turn
from talekeeper.loops.scene.retelling import retell
from talekeeper.loops.scene.work import Prose, Resolution, Segment, ToldClaim, TurnWork, encode
from talekeeper.timeline.turns import Turn
from talekeeper.timeline.vocabulary import (
    ActionTaken,
    Claim,
    Draft,
    NarrationTold,
    OutcomeResolved,
    ProposalDecided,
    Reveal,
)

PEOPLE = ("person/mara", "person/tam", "person/ivo")
PLACES = ("place/quay", "place/tavern", "place/cellar")
WORDS = ("lantern", "anchor", "herring", "storm", "ledger", "pilgrim", "thunder", "velvet")

_TOWN = (
    Claim("world", "name", "Saltmarket"), Claim("world", "time", 600), Claim("world", "weather", "fog"),
    *(Claim(p, "name", p.partition("/")[2].title()) for p in (*PEOPLE, *PLACES)),
    Claim("item/key", "name", "the key"), Claim("faction/guild", "name", "The Guild"),
    Claim("faction/guild", "clock_size", 6), Claim("faction/guild", "clock", 0),
    Claim("concept/debt", "name", "The Debt"), Claim("concept/debt", "thread", "open"),
    Claim("place/quay", "exit", "up", slot="place/tavern"), Claim("place/tavern", "exit", "down", slot="place/quay"),
    Claim("place/tavern", "exit", "below", slot="place/cellar"), Claim("place/cellar", "exit", "out", slot="place/tavern"),
    *(Claim(p, "at", "place/quay") for p in PEOPLE), Claim("item/key", "at", "person/mara"),
)  # fmt: skip


def found_town(engine: Engine, world: str) -> None:
    """A small world of its own for one program, quicker to make than a preset's."""

    def found(conn: Connection) -> None:
        create_empty(conn, engine.services, world, seed=5)
        town = ProposalDecided(decision="accepted", role="world_builder", claims=_TOWN)
        told = NarrationTold(text="Fog and a storm lantern on the quay.", lines=("opening",))
        drafts = [Draft(body=town, by="world_builder"), Draft(body=told, by="narrator", witnesses=PEOPLE)]
        engine.services.appender.append(conn, world, "t1", drafts)

    engine.store.write_now(found)


class ByHand:
    """Turn rows go the same way as in the loop, but what is resolved and told comes out of a hat."""

    words: Sequence[str] = WORDS
    holders: Sequence[str] = (*PEOPLE, "person/nobody")

    async def turn(self, engine: Engine, world: str, a: int, b: int) -> None:
        dice = random.Random(a * 1000 + b)
        services = engine.services
        act = Act(
            world=world,
            text=f"I look for the {dice.choice(WORDS)}",
            actor="person/mara",
            idem=f"{a}" if b % 6 == 0 else None,
        )
        where, turn, new = await services.store.write(lambda conn: accept_action(conn, services, act))
        if not new:
            return
        work = TurnWork(services, where, turn, RunningTurn(world, turn.id))
        if b % 11 == 0:
            await work.write(state="failed", error="{}")
            return
        await work.write(outcome=encode(_resolution(turn, act.text, dice)), state="resolved")
        await self._tell(work, dice)

    async def retry(self, engine: Engine, world: str, a: int, *, swipe: bool) -> None:
        services = engine.services
        where, turn = await services.store.write(lambda conn: retell(conn, services, Retry(world=world, swipe=swipe)))
        work = TurnWork(services, where, turn, RunningTurn(world, turn.id))
        dice = random.Random(a)
        if turn.state == "accepted":
            await work.write(outcome=encode(_resolution(turn, work.action, dice)), state="resolved")
        await self._tell(work, dice)

    async def _tell(self, work: TurnWork, dice: random.Random) -> None:
        await work.write(prose=encode(_prose(dice)), state="told")
        await persist_turn(work)
        await canonize(work)


def _resolution(turn: Turn, text: str, dice: random.Random) -> Resolution:
    changes = tuple(_change(dice) for _ in range(dice.randrange(4)))
    secret = Reveal("s1", "person/tam", f"the {dice.choice(WORDS)} is false", ("person/mara",))
    outcome = OutcomeResolved(
        actor=turn.actor, verb="search", tier=dice.choice(("plain", "success", "failure")), consequences=changes,
        reveals=(secret,) if dice.random() < 0.2 else (),
    )  # fmt: skip
    return Resolution(ActionTaken(actor=turn.actor, text=text, verb="search"), outcome=outcome)


def _change(dice: random.Random) -> Claim:
    """A consequence, not always one that canon will take."""
    who, other = dice.choice(PEOPLE), dice.choice(PEOPLE)
    return dice.choice(
        (
            Claim(who, "at", dice.choice(PLACES)),
            Claim(who, dice.choice(("trust", "fear")), dice.randrange(-120, 120), slot=other),
            Claim("world", "time", 600 + dice.randrange(300)),
            Claim("faction/guild", "clock", dice.randrange(8)),
            Claim("item/key", "at", dice.choice((*PEOPLE, *PLACES))),
            Claim(who, "mood", dice.choice(("wary", "glad"))),
            Claim(who, "mood", retract=True),
            Claim(who, "condition", "hurt", slot="hurt"),
            Claim(who, "condition", slot="hurt", retract=True),
            Claim(who, "knows", "told by Tam", slot="s1"),
            Claim("concept/debt", "thread", dice.choice(("open", "resolved"))),
        )
    )


def _prose(dice: random.Random) -> Prose:
    segments = []
    for _ in range(1 + dice.randrange(3)):
        text = " ".join(dice.choice(WORDS) for _ in range(1 + dice.randrange(5)))
        tag, who = dice.choice((("narration", ""), ("say", dice.choice(PEOPLE)), ("do", dice.choice(PEOPLE))))
        lines = tuple(f"line-{dice.randrange(40)}" for _ in range(dice.randrange(3)))
        segments.append(Segment(tag, text, who, lines))
    claims = tuple(ToldClaim("narrator", _claimed(dice), "it was told") for _ in range(dice.randrange(3)))
    return Prose("hand", tuple(segments), claims, complete=dice.random() < 0.9)


def _claimed(dice: random.Random) -> Claim:
    who = dice.choice((*PEOPLE, "person/stranger"))
    return dice.choice(
        (
            Claim(who, "trait", dice.choice(WORDS), slot=dice.choice(WORDS)),
            Claim(who, "note", "seen at dusk", slot=dice.choice(WORDS)),
            Claim(who, "status", dice.choice(("dead", "alive"))),
            Claim(who, "mood", "odd"),
            Claim(who, "secret", "stolen", slot="x"),
            Claim("person/stranger", "name", "A Stranger"),
        )
    )


class ByLoop:
    """The real engine from door to database, with its own storyteller."""

    words: Sequence[str] = ("dam", "register", "ledger", "water", "lane", "church")
    holders: Sequence[str] = ("person/nan", "person/dorcas", "person/nobody")
    lines = (
        "look around", "ask Nan about the dam", "go to the Row", "look at the register", "wait", "go to the Otter",
        "ask Dorcas about my father", "threaten Dorcas", "search the room", "take the register", "rest", "dance",
    )  # fmt: skip

    async def turn(self, engine: Engine, world: str, a: int, b: int) -> None:
        idem = f"{a}" if b % 6 == 0 else None
        turn = await engine.scenes.act(Act(world=world, text=self.lines[a % len(self.lines)], idem=idem))
        if b % 7 == 0:
            turn.stopping.set()
        await turn.ended.wait()

    async def retry(self, engine: Engine, world: str, a: int, *, swipe: bool) -> None:
        del a
        turn = await engine.scenes.retry(Retry(world=world, swipe=swipe))
        await turn.ended.wait()
