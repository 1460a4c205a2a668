"""What a player's free text means: a verb, what it is done to, what it is about. No model; the same text, the same answer."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from talekeeper.agents.resolver.clauses import Clause, Start, clauses, skip_lead, starts
from talekeeper.agents.resolver.lexicon import IDLE, LAYING_DOWN, SELF_CHECKS
from talekeeper.agents.resolver.names import Names
from talekeeper.agents.resolver.objects import read_bare, read_laid_down, read_objects
from talekeeper.agents.resolver.scan import Reading, Scan
from talekeeper.agents.resolver.speech import read_question
from talekeeper.agents.resolver.words import Line, read_line, stems
from talekeeper.agents.situation import Situation
from talekeeper.timeline.ids import entity_kind
from talekeeper.timeline.vocabulary import Verb

_QUESTION_WORDS = frozenset("what who where when why how which whose what's who's where's how's is was were does do did"
                            " are have is".split())  # fmt: skip
_PLAIN_QUESTIONS = frozenset(("what", "who", "where", "why", "what's", "who's", "where's"))
_WONDERING = frozenset(
    "what who where what's who's where's am is are do can could i me we see here else around there now this place the"
    " else's going on happening should next".split()
)
_ADDRESSING = frozenset(("you", "your", "you're", "yours", "yourself", "you've", "you'll"))
_READYING = frozenset((("draw",), ("take", "out"), ("pull", "out"), ("raise",), ("hold", "up")))
_INTERJECTIONS = frozenset("yes no ok okay hey wait hi hello thanks look listen".split())
_APPROACHES = frozenset("approach over up towards toward turn go walk run step walks goes turns".split())
_HANDING = frozenset("give hand lend borrow sell buy trade surrender pass bring entrust have for".split())
_SPEECH: frozenset[Verb] = frozenset(("talk", "ask", "persuade", "threaten", "deceive"))


class Recognised(msgspec.Struct, frozen=True, omit_defaults=True):
    """The deed a player means."""

    verb: Verb
    targets: tuple[str, ...] = ()
    """What the verb acts on comes first (the item taken, the person asked), then what with, to whom or from whom."""
    topic: str = ""
    unknown: str = ""
    """The player's words for something that is neither here nor known."""
    unclear: tuple[str, ...] = ()
    """Whom a pronoun may mean, when it may mean several."""
    minutes: int | None = None
    becomes: str = ""
    """The state a thing is left in: open, closed, lit."""
    idle: bool = False
    """A free deed that nothing stands against."""
    laid_down: bool = False
    handing: bool = False
    """Somebody is to be talked into handing the topic over."""
    mentioned: tuple[str, ...] = ()
    """Everything the line names, in its order."""


def recognise(situation: Situation, text: str) -> Recognised:
    line = read_line(text)
    if not line.words:
        return Recognised("attempt", idle=True)
    if _plainly(line, 0) in SELF_CHECKS or _plainly(line, skip_lead(line, 0, len(line.words))) in SELF_CHECKS:
        return Recognised("examine", (situation.actor.id,))
    recogniser = _Recogniser(situation, line)
    best = recogniser.best()
    handing = (
        best.verb in ("persuade", "threaten", "deceive")
        and entity_kind(best.topic) == "item"
        and any(word.stem in _HANDING for word in line.words)
    )
    return msgspec.structs.replace(best, handing=handing, mentioned=recogniser.mentioned())


def _plainly(line: Line, low: int) -> str:
    return " ".join(word.text for word in line.words[low : low + 6])


class _Recogniser:
    def __init__(self, situation: Situation, line: Line) -> None:
        self._situation = situation
        self._line = line
        self._names = Names(situation, line)
        self._scan = Scan(situation, line, self._names)
        self._clauses = clauses(line)
        self._own_name = frozenset(stems(situation.actor.name))

    def best(self) -> Recognised:
        weak: Recognised | None = None
        spoken: Recognised | None = None
        for clause in self._clauses:
            if clause.quoted:
                spoken = spoken or self._speech(clause)
                continue
            found = self._read(clause)
            if found is None:
                continue
            if self._is_weak(clause, found):
                weak = weak or found
                continue
            return self._with_quoted_topic(found)
        return spoken or weak or self._without_verb()

    def _without_verb(self) -> Recognised:
        bare = read_bare(self._scan)
        if bare is not None:
            return _recognised(*bare)
        said = {word.text for word in self._line.words}
        if said & _ADDRESSING and self._situation.present:
            return _recognised("talk", read_question(self._scan, 0, len(self._line.words)))
        return self._attempt()

    def _with_quoted_topic(self, found: Recognised) -> Recognised:
        """What was said in quotation marks is what it was about."""
        if found.verb not in _SPEECH or found.topic:
            return found
        quoted = next((clause for clause in self._clauses if clause.quoted), None)
        if quoted is None:
            return found
        verb = "ask" if quoted.question and found.verb == "talk" else found.verb
        return msgspec.structs.replace(found, verb=verb, topic=self._scan.topic(quoted.low, quoted.high))

    def mentioned(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(m.named.id for m in self._names.find(0, len(self._line.words))))

    def _read(self, clause: Clause) -> Recognised | None:
        """The deed a clause names, or None when it names none we know."""
        low = skip_lead(self._line, clause.low, clause.high, self._own_name)
        if low >= clause.high:
            return None
        if self._requests(clause) and not any(start.phrase.verb in _SPEECH for start in self._starts(clause)):
            return _recognised("persuade", read_question(self._scan, low, clause.high))
        first = self._line.words[low].text
        if first in LAYING_DOWN:
            laid = read_laid_down(self._scan, low + 1, clause.high)
            if laid is not None:
                return _recognised("attempt", laid, laid_down=True)
        for start in self._starts(clause):
            if self._fits(clause, low, start):
                return self._deed(clause, start)
        return None

    def _starts(self, clause: Clause) -> Iterator[Start]:
        return starts(self._line, skip_lead(self._line, clause.low, clause.high, self._own_name), clause.high)

    def _requests(self, clause: Clause) -> bool:
        """Can I see your ledger? May I pass, Mara?"""
        first = self._line.words[clause.low].text
        if not clause.question or first not in ("can", "could", "may", "might"):
            return False
        said = {word.text for word in self._line.words[clause.low : clause.high]}
        named = self._names.find(0, len(self._line.words), ("person",), ("here",))
        return bool(said & _ADDRESSING) or any(m.high <= clause.low or m.low >= clause.high for m in named)

    def _fits(self, clause: Clause, low: int, start: Start) -> bool:
        phrase = start.phrase
        if phrase.need:
            return self._scan.has(phrase.need, start.after, start.end)
        if len(phrase.words) == 1 and phrase.words[0] in _QUESTION_WORDS:
            said = {word.text for word in self._line.words[low : clause.high]}
            alone = len(self._clauses) == 1 and phrase.words[0] in _PLAIN_QUESTIONS
            return clause.question or "you" in said or alone
        return True

    def _deed(self, clause: Clause, start: Start) -> Recognised:
        verb = start.phrase.verb
        low = start.after - len(start.phrase.words)
        if verb == "ask" and self._line.words[low].text in _QUESTION_WORDS:
            if self._wonders(low, clause.high):
                return Recognised("look")
            if not self._situation.present:
                return Recognised("look", topic=self._scan.topic(start.after, clause.high))
            return _recognised("ask", read_question(self._scan, start.after, clause.high))
        verb, reading = read_objects(self._scan, verb, start.phrase, start.after, start.end, clause.high)
        following = verb == "attempt" and start.phrase.words[0].startswith("follow")
        return _recognised(verb, reading, becomes=start.phrase.becomes, idle=following)

    def _wonders(self, low: int, high: int) -> bool:
        said = {word.text for word in self._line.words[low:high]}
        return self._line.words[low].text in _PLAIN_QUESTIONS and said <= _WONDERING

    def _is_weak(self, clause: Clause, found: Recognised) -> bool:
        """Walking up to somebody, taking what one has, a word called out: whatever comes next is the deed."""
        if clause is self._clauses[-1]:
            return False
        said = {word.text for word in self._line.words[clause.low : clause.high]}
        if clause.high - clause.low == 1 and said <= _INTERJECTIONS:
            return True
        if found.verb == "use" and not found.becomes and len(found.targets) == 1:
            return any(start.phrase.words in _READYING for start in self._starts(clause))
        if found.verb == "take" and found.targets:
            return {*found.targets} <= {thing.id for thing in self._situation.actor.holds}
        return found.verb == "talk" and not said.isdisjoint(_APPROACHES)

    def _speech(self, clause: Clause) -> Recognised:
        verb: Verb = "talk"
        low = skip_lead(self._line, clause.low, clause.high)
        for start in starts(self._line, low, clause.high):
            if start.phrase.verb in _SPEECH and not start.phrase.need:
                verb = start.phrase.verb
                break
        if clause.question and verb == "talk":
            verb = "ask"
        return _recognised(verb, read_question(self._scan, clause.low, clause.high))

    def _attempt(self) -> Recognised:
        high = len(self._line.words)
        low = skip_lead(self._line, 0, high, self._own_name)
        first = self._line.words[min(low, high - 1)]
        # "I smile and set fire to the house" is no idle deed.
        alone = len(self._clauses) == 1 and all(word.text != "and" for word in self._line.words)
        idle = alone and (first.text in IDLE or first.stem in IDLE)
        return _recognised("attempt", self._scan.anything(low, high), idle=idle)


def _recognised(
    verb: Verb, reading: Reading, *, becomes: str = "", idle: bool = False, laid_down: bool = False
) -> Recognised:
    return Recognised(
        verb=verb,
        targets=tuple(dict.fromkeys(reading.targets)),
        topic=reading.topic,
        unknown=reading.unknown,
        unclear=reading.unclear,
        minutes=reading.minutes,
        becomes=becomes,
        idle=idle,
        laid_down=laid_down,
    )
