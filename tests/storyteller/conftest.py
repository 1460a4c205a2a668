"""A small table at which a preset can be played without the engine: state, tellings and voicings made by hand."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from talekeeper.agents.situation import ClockFace, Exit, Person, Place, Thing, Thread
from talekeeper.agents.storyteller import Storyteller
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.llm.tags import TagClose, TagOpen, TagParser
from talekeeper.presets.calendar import daypart_at
from talekeeper.presets.library import load_preset
from talekeeper.presets.weather import weather_at
from talekeeper.timeline.vocabulary import Claim, OutcomeResolved, Reveal

RULES_COSTS = (
    "it takes longer than it should",
    "word of your question will get about",
    "you take a blow",
    "something new",
)
GOOD = ("plain", "triumph", "success", "cost")


class Told:
    """One turn as a reader gets it: tags in order, with the answers in the place of the cues."""

    def __init__(self, narration: str, tags: list[tuple[str, dict[str, str], str]]) -> None:
        self.raw = narration
        self.tags = tags

    @property
    def prose(self) -> str:
        return "\n\n".join(text for name, _, text in self.tags if name in ("narration", "do", "say") and text)

    @property
    def lines(self) -> list[str]:
        narrated = [
            id_ for name, attrs, _ in self.tags if name == "narration" for id_ in attrs.get("lines", "").split()
        ]
        return narrated + [attrs["line"] for name, attrs, _ in self.tags if name == "say"]

    def of(self, name: str) -> list[tuple[dict[str, str], str]]:
        return [(attrs, text) for tag, attrs, text in self.tags if tag == name]


def parse(tagged: str, allowed: tuple[str, ...]) -> list[tuple[str, dict[str, str], str]]:
    parser = TagParser(allowed)
    opened: dict[str, TagOpen] = {}
    found: list[tuple[str, dict[str, str], str]] = []
    for event in [*parser.feed(tagged), *parser.finish()]:
        if isinstance(event, TagOpen):
            opened[event.tag_id] = event
        elif isinstance(event, TagClose):
            assert event.reason == "closed"
            found.append((event.tag, opened[event.tag_id].attrs, event.text))
        else:
            assert event.text.strip() == "" or hasattr(event, "tag_id"), f"untagged: {event.text!r}"
    return found


class Table:
    """Keeps just enough of a world to tell it: who is where, what is held, clocks, beats, used lines."""

    def __init__(self, preset_id: str = "low-water", seed: int = 7) -> None:
        self.preset = load_preset(preset_id)
        self.preset_id = preset_id
        self.teller = Storyteller()
        self.seed = seed
        self.rng = random.Random(seed)
        self.now = self.preset.card.start.at
        self.place = f"place/{self.preset.card.start.place}"
        self.holders = {id_: thing.at for id_, thing in self.preset.things.items()}
        self.beats = dict.fromkeys(self.preset.threads, 0)
        self.idle = dict.fromkeys(self.preset.threads, 0)
        self.clocks = {id_: f.clock.filled for id_, f in self.preset.factions.items() if f.clock}
        self.regard = {id_: dict(p.regard.get("player", {})) for id_, p in self.preset.people.items()}
        self.remembers: list[str] = []
        self.used: set[str] = set()
        self.turn = 0

    # What is where.
    def where(self, person: str) -> str:
        who = self.preset.people[person]
        part = daypart_at(self.preset.card.calendar, self.now).id
        return f"place/{who.schedule.get(part, who.at)}"

    def things_at(self, holder: str) -> tuple[Thing, ...]:
        return tuple(
            Thing(id_, t.name, t.aliases, t.look, t.about, t.fixed, t.state)
            for id_, t in self.preset.things.items()
            if self.holders[id_] == holder
        )

    def person(self, id_: str) -> Person:
        p = self.preset.people[id_]
        return Person(
            id_, p.name, (p.short, *p.aliases), p.role, p.look, p.voice, p.mood, holds=self.things_at(id_),
            regard=self.regard[id_],
        )  # fmt: skip

    @property
    def actor(self) -> Person:
        p = self.preset.card.player
        return Person(self.preset.player, p.name, (p.short,), p.role, p.look, holds=self.things_at(self.preset.player))

    @property
    def cast(self) -> tuple[Person, ...]:
        return tuple(
            self.person(id_) for id_, p in self.preset.people.items() if not p.absent and self.where(id_) == self.place
        )

    def place_of(self, id_: str) -> Place:
        place = self.preset.places[id_]
        exits = tuple(
            Exit(f"place/{to}", self.preset.places[f"place/{to}"].name, way, place.barred.get(to, ""))
            for to, way in place.exits.items()
        )
        return Place(id_, place.name, place.about, exits, self.things_at(id_))

    # Turns.
    def act(
        self, action: str, verb: str, tier: str = "plain", targets: tuple[str, ...] = (), topic: str = "",
        reveals: tuple[Reveal, ...] = (), costs: tuple[str, ...] = (), blocked: str = "", minutes: int = 5,
        moved: str = "",
    ) -> Told:  # fmt: skip
        self.turn += 1
        arrived_from = None
        claims: list[Claim] = []
        if verb == "move" and tier in GOOD and targets:
            arrived_from = self.place_of(self.place)
            self.place = targets[0]
            claims.append(Claim(self.preset.player, "at", self.place))
        self.now += minutes
        if verb == "take" and tier in GOOD and targets:
            self.holders[targets[0]] = self.preset.player
        if verb == "give" and len(targets) > 1:
            self.holders[targets[1]] = targets[0]
        if moved:
            claims.append(Claim(moved, "at", self.preset.player))
        if tier in GOOD:
            claims += self._threads((*targets, topic, self.place))
        if self.turn % 9 == 0:
            faction = sorted(self.clocks)[self.turn // 9 % len(self.clocks)]
            clock = self.preset.factions[faction].clock
            if clock and self.clocks[faction] < clock.size:
                self.clocks[faction] += 1
                claims.append(Claim(faction, "clock", self.clocks[faction]))
        outcome = self.outcome(verb, tier, targets, topic, tuple(claims), reveals, costs, blocked, minutes)
        return self.tell(action, outcome, arrived_from)

    def outcome(
        self, verb: str, tier: str = "plain", targets: tuple[str, ...] = (), topic: str = "",
        consequences: tuple[Claim, ...] = (), reveals: tuple[Reveal, ...] = (), costs: tuple[str, ...] = (),
        blocked: str = "", minutes: int = 5,
    ) -> OutcomeResolved:  # fmt: skip
        return msgspec.convert(
            {"actor": self.preset.player, "verb": verb, "tier": tier, "targets": targets, "topic": topic,
             "consequences": consequences, "reveals": reveals, "costs": costs, "blocked": blocked, "minutes": minutes},
            OutcomeResolved,
        )  # fmt: skip

    def _threads(self, touched: tuple[str, ...]) -> list[Claim]:
        moved = []
        for id_, thread in self.preset.threads.items():
            self.idle[id_] += 1
            if self.idle[id_] > 5 and set(thread.topics) & set(touched) and self.beats[id_] < len(thread.beats):
                self.beats[id_] += 1
                self.idle[id_] = 0
                moved.append(Claim(id_, "thread_beat", self.beats[id_]))
        return moved[:1]

    def telling(self, action: str, outcome: OutcomeResolved, arrived_from: Place | None = None) -> Telling:
        return Telling(
            world="w", title=self.preset.card.title, preset=self.preset_id, turn_number=self.turn, now=self.now,
            weather=weather_at(self.preset.card, self.seed, self.now), place=self.place_of(self.place),
            arrived_from=arrived_from, actor=self.actor, cast=self.cast, action=action, outcome=outcome,
            threads=tuple(
                Thread(i, t.name, t.about, "open", self.beats[i], self.idle[i], t.topics, t.clock)
                for i, t in self.preset.threads.items()
            ),
            clocks=tuple(ClockFace(i, "a clock", n, 8) for i, n in self.clocks.items()),
            used=frozenset(self.used), seed=self.seed * 1_000_003 + self.turn,
        )  # fmt: skip

    def tell(self, action: str, outcome: OutcomeResolved, arrived_from: Place | None = None) -> Told:
        telling = self.telling(action, outcome, arrived_from)
        raw = self.teller.told(telling)
        tags: list[tuple[str, dict[str, str], str]] = []
        for name, attrs, text in parse(raw, telling.tags):
            if name == "cue":
                tags += parse(self.teller.voiced(self.voicing(telling, attrs)), ("say", "do", "propose"))
            else:
                tags.append((name, attrs, text))
        told = Told(raw, tags)
        self.used.update(told.lines)
        self.remembers.insert(0, f"{self.actor.name}: {action}")
        return told

    def voicing(self, telling: Telling, cue: dict[str, str]) -> Voicing:
        speaker = self.person(cue["who"])
        return Voicing(
            world="w", title=telling.title, preset=telling.preset, now=telling.now, weather=telling.weather,
            place=telling.place.name, speaker=speaker, to=telling.actor, about=cue.get("about", ""),
            action=telling.action, outcome=telling.outcome, remembers=tuple(self.remembers[:3]),
            knows=(f"{speaker.name} is at {telling.place.name}",),
            may_reveal=tuple(r.text for r in telling.outcome.reveals if r.holder == speaker.id),
            used=telling.used, seed=telling.seed,
        )  # fmt: skip


PLAIN_ONLY = ("move", "look", "talk", "wait", "give")
WEIGHTS = {
    "move": 5, "look": 2, "examine": 4, "talk": 5, "ask": 8, "persuade": 2, "threaten": 1, "deceive": 1, "attack": 1,
    "defend": 1, "take": 2, "give": 1, "use": 2, "open": 1, "sneak": 1, "search": 3, "wait": 2, "rest": 1, "cast": 1,
    "perform": 1, "attempt": 4,
}  # fmt: skip
ROLLED = ("success", "success", "cost", "failure", "failure", "triumph", "disaster")
ATTEMPTS = ("I climb the wall", "juggle three stones", "write a letter home", "I try to whistle for the dog", "dance")


def play(table: Table, turns: int) -> list[Told]:
    """Turns as a restless player would take them: any verb, any tier, at whoever and whatever is there."""
    return [_turn(table) for _ in range(turns)]


def _turn(table: Table) -> Told:
    rng, cast, place = table.rng, table.cast, table.place_of(table.place)
    verb = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    tier = "plain" if verb in PLAIN_ONLY else rng.choice(ROLLED)
    targets: tuple[str, ...] = ()
    topic = blocked = ""
    held = table.things_at(table.preset.player)
    if verb in ("talk", "ask", "persuade", "threaten", "deceive", "attack"):
        if not cast:
            return table.act("look around", "look")
        targets = (rng.choice(cast).id,)
        topic = rng.choice([*table.preset.threads, *table.preset.people, "faction/works", "the price of eels"])
    elif verb == "give":
        if not cast or not held:
            return table.act("wait", "wait", minutes=30)
        targets = (rng.choice(cast).id, rng.choice(held).id)
    elif verb in ("examine", "use", "open", "take"):
        if not place.things:
            return table.act("search the place", "search", "failure")
        thing = rng.choice(place.things)
        targets = (thing.id,)
        if verb == "take" and thing.fixed:
            tier, blocked = "blocked", f"The {thing.name} is fixed where it is."
    elif verb == "move":
        targets = (rng.choice(place.exits).to,)
    action = rng.choice(ATTEMPTS) if verb == "attempt" else verb
    costs = (rng.choice(RULES_COSTS),) if tier in ("cost", "disaster") else ()
    minutes = 240 if verb in ("rest", "wait") else rng.choice((5, 10, 15))
    return table.act(
        action, verb, tier, targets, topic if verb == "ask" else "", costs=costs, blocked=blocked, minutes=minutes
    )


@pytest.fixture(scope="session")
def new_table() -> type[Table]:
    return Table


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture(scope="session")
def play_on() -> Callable[[Table, int], list[Told]]:
    return play


@pytest.fixture(scope="session")
def read_tags() -> Callable[[str, tuple[str, ...]], list[tuple[str, dict[str, str], str]]]:
    return parse
