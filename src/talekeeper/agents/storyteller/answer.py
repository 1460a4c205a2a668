"""One character's answer: from the lines written for them, what they know, what they recall, what they may let out."""

from __future__ import annotations

import re

from talekeeper.agents.storyteller.book import Book
from talekeeper.agents.storyteller.markup import tag
from talekeeper.agents.storyteller.naming import full_stop, in_prose
from talekeeper.agents.storyteller.picker import Picker, render
from talekeeper.agents.storyteller.players_words import as_topic, said_topic
from talekeeper.agents.storyteller.recollection import kind_of_memory
from talekeeper.agents.storyteller.stage import GOOD
from talekeeper.agents.teller import Voicing
from talekeeper.presets.calendar import hour_name
from talekeeper.presets.line import read_lines
from talekeeper.presets.preset import ATTITUDES, ByAttitude, PresetPerson, Words

CIVIL = frozenset({"talk", "ask", "persuade", "give", "move"})
"""What leaves somebody the leisure to bring up the past."""

_PARTING = re.compile(r"\b(?:bye|goodbye|farewell|good ?night|take (?:my|your) leave|see you)\b", re.IGNORECASE)
_BOOKKEEPING = re.compile(
    r"\d|\bholds (?:trust|affection|respect|fear|debt)\b|\bclock\b|\bwants\b|\bknows\b|\bspeaks\b|\bseems\b|\bhas taken\b"
)
"""Facts that are true but that nobody would say aloud."""


def answer(voicing: Voicing, book: Book, seed: int) -> str:
    speech = _Speech(voicing, book, seed)
    said = speech.secrets() or [speech.reply()]
    if not voicing.may_reveal:
        said.insert(0, speech.recollection())
    return "".join(text for text in said if text)


class _Speech:
    def __init__(self, voicing: Voicing, book: Book, seed: int) -> None:
        here = {voicing.weather, book.daypart(voicing.now).id, book.place_id(voicing.place), *voicing.outcome.targets}
        self.voicing = voicing
        self.book = book
        self.picker = Picker(seed, voicing.used, frozenset(here), book.conditions)
        self.known = book.person(voicing.speaker.id) or PresetPerson(name=voicing.speaker.name, role="", look="")
        self.attitude = voicing.speaker.attitude
        self.good = voicing.outcome.tier in GOOD
        self.topic = book.topic(voicing.speaker.id, voicing.about)
        self.slots = {
            "actor": _called(voicing.to.name, voicing.to.aliases),
            "place": in_prose(voicing.place) if "/" not in voicing.place else book.name(voicing.place),
            "daypart": book.daypart(voicing.now).name,
            "hour": hour_name(voicing.now),
            "weather": book.weather_name(voicing.weather),
            "topic": self._topic_name(),
        }

    def secrets(self) -> list[str]:
        said = []
        for text in self.voicing.may_reveal:
            secret = self.book.secret(text)
            told = self.picker.pick(secret.told, self.slots) if secret else ""
            said.append(self._say(told or self._made("reveal", secret=full_stop(text))))
        return said

    def recollection(self) -> str:
        """What the player did before, brought up by the one who has not forgotten it."""
        if self.voicing.outcome.verb not in CIVIL or not self.picker.chance(0.3):
            return ""
        for memory in self.voicing.remembers:
            kind = kind_of_memory(memory, doer=self.voicing.to, done_to=self.voicing.speaker)
            lines = self.book.bank.remembers[kind].lines(self.attitude) if kind else ()
            if text := self.picker.pick(lines, self.slots):
                return self._say(text)
        return ""

    def reply(self) -> str:
        verb = self.voicing.outcome.verb
        addressed = self.voicing.speaker.id in self.voicing.outcome.targets
        if addressed and verb == "attack":
            text = self._any(self.known.fear, "fear") if self.good else self._any((), "defiance")
        elif addressed and verb == "threaten":
            text = self._any(self.known.fear, "fear") if self.good else self._any(self.known.refusal, "defiance")
        elif addressed and verb == "persuade":
            text = self._any(self.known.agree, "agree") if self.good else self._any(self.known.refusal, "refusal")
        elif addressed and verb == "deceive":
            text = self._believing() if self.good else self._any(self.known.caught, "caught")
        elif addressed and verb == "give":
            text = self._any(self.known.thanks, "thanks")
        elif addressed and verb == "ask" and not self.good:
            text = self._any(self.known.deflection, "deflection")
        elif verb == "move" and not self.voicing.about:
            text = self._greeting() or self._small_talk()
        elif addressed and _PARTING.search(self.voicing.action):
            text = self._any(self.known.farewell, "farewell")
        elif verb == "talk" and self.voicing.about and self.topic is None:
            text = self._any((), "heard")
        elif self.voicing.about:
            text = self._on_topic()
        else:
            text = self._greeting() or self._small_talk()
        return self._say(text or self._made("filler"))

    def _greeting(self) -> str:
        """Once; whoever has greeted has greeted."""
        greeting = self.known.greeting
        lines = [line for attitude in ATTITUDES for line in read_lines(greeting.lines(attitude))]
        if any(self.picker.is_used(line) for line in lines):
            return ""
        return self._by_attitude(greeting)

    def _small_talk(self) -> str:
        # Nobody asks a favour of somebody they cannot stand.
        own = [self.known.wants if self.attitude != "hostile" else (), self.known.talk.lines(self.attitude)]
        self.picker.rng.shuffle(own)
        return self.picker.pick_first((*own, *self._unasked()), self.slots)

    def _unasked(self) -> list[Words]:
        """Having nothing else to say, people say something about what occupies them."""
        topics = [topic.lines(self.attitude) for topic in self.known.topics.values()]
        self.picker.rng.shuffle(topics)
        return [*topics, self._bank("talk")]

    def _believing(self) -> str:
        return self.picker.pick_first((self._bank("believing"), self.known.agree), self.slots)

    def _on_topic(self) -> str:
        if self.topic is None:
            return self._fact() or self.picker.pick(self._bank("unknown"), self.slots)
        attitudes = list(ATTITUDES[ATTITUDES.index(self._leaning()) :])
        pools = [self.topic.lines(attitude) for attitude in attitudes]
        return self.picker.pick_first(pools, self.slots) or self._fact() or self._made("exhausted")

    def _leaning(self) -> str:
        """A question that goes very well gets a warmer answer than its asker had earned."""
        nearer = self.voicing.outcome.tier == "triumph" and self.attitude != "warm"
        return ATTITUDES[ATTITUDES.index(self.attitude) - 1] if nearer else self.attitude

    def _fact(self) -> str:
        name = self.slots["topic"].removeprefix("the ").lower()
        for fact in self.voicing.knows:
            spoken = not _BOOKKEEPING.search(fact) and not fact.startswith(
                (self.voicing.speaker.name, self.voicing.to.name)
            )
            if name and name in fact.lower() and spoken and self.picker.once(f"fact {fact}"):
                return self._made("fact", fact=full_stop(fact))
        return ""

    def _any(self, own: Words, occasion: str) -> str:
        return self.picker.pick_first((own, self._bank(occasion)), self.slots)

    def _by_attitude(self, words: ByAttitude) -> str:
        return self.picker.pick(words.lines(self.attitude), self.slots)

    def _bank(self, occasion: str) -> Words:
        return self.book.bank.says[occasion].lines(self.attitude)

    def _made(self, occasion: str, **more: str) -> str:
        """A sentence made for the moment: what counts as told is the finished sentence."""
        slots = {**self.slots, **more}
        lines = [line for line in read_lines(self._bank(occasion)) if all(map(slots.get, line.slots))]
        self.picker.rng.shuffle(lines)
        made = next((text for line in lines if (text := self.picker.once(render(line.text, slots)))), "")
        return made or self._paired()

    def _paired(self) -> str:
        slots = self.slots if self.slots["topic"] else {**self.slots, "topic": "that"}
        parts = (self._bank("begin"), self._bank("end"))
        return self.picker.compose(parts, lambda chosen: render(f"{chosen[0]}, {chosen[1]}.", slots))

    def _say(self, text: str) -> str:
        return tag("say", text, who=self.voicing.speaker.id, line=self.picker.taken[-1]) if text else ""

    def _topic_name(self) -> str:
        about = self.voicing.about
        if about == self.voicing.speaker.id:
            return "myself"
        if about == self.voicing.to.id:
            return "you"
        if about and (own := said_topic(self.voicing.action)):
            return own
        if known := self.book.name(about):
            return known
        words = as_topic(about.rpartition("/")[2] if "/" in about and " " not in about else about)
        return words if len(words) <= 60 else ""


def _called(name: str, aliases: tuple[str, ...]) -> str:
    return next((alias for alias in aliases if alias in name.split()), name)
