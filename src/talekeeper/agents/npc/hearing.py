"""What kind of thing somebody just said or did to an NPC, by rule: enough to react to it without a model."""

from __future__ import annotations

import re
from typing import Literal

from talekeeper.agents.npc.stimulus import Stimulus

Remark = Literal[
    "threat", "insult", "apology", "thanks", "farewell", "greeting", "name", "wellbeing", "quest", "opinion", "question",
    "request", "agreement", "refusal", "praise", "statement", "blow", "gift", "arrival", "departure", "deed", "moment",
]  # fmt: skip

_PATTERNS: tuple[tuple[Remark, str], ...] = (
    ("threat", r"\b(?:i(?:'|’)?ll|i will|i(?:'|’)?m going to|gonna)\b.{0,30}\b(?:kill|hurt|break|burn|gut|hang|beat|end) "
               r"(?:you|your|this)|\b(?:or else|your money or|hands up|draw your|prepare to die|you(?:'|’)?re dead)\b"),
    ("insult", r"\b(?:idiot|fool|moron|stupid|liar|cheat|thief|coward|useless|ugly|filthy|shut up|go to hell|damn you|"
               r"hate you|bastard|scum|swine|pathetic|old hag|screw you)\b"),
    ("apology", r"\b(?:sorry|apologi[sz]e|apolog(?:y|ies)|forgive me|pardon me|my fault|i was wrong|didn(?:'|’)?t mean)\b"),
    ("thanks", r"\b(?:thanks|thank you|thank ye|much obliged|grateful|i appreciate)\b"),
    ("farewell", r"\b(?:goodbye|good-bye|bye|farewell|good ?night|see you|i(?:'|’)?ll be off|i must go|until next|take care)\b"),
    ("name", r"\b(?:your name|who are you|what are you called|what do they call you|introduce yourself)\b"),
    ("wellbeing", r"\bhow (?:are|do) you(?: doing| feeling| fare)?\b|\bare you (?:all right|alright|ok|okay|well)\b|"
                  r"\bwhat(?:'|’)?s wrong\b|\bhow have you been\b"),
    ("quest", r"\b(?:can i help|need (?:any |some )?help|any work|looking for work|got (?:a |any )?(?:job|work|quest|task)|"
              r"what do you (?:want|need)|what can i do|anything you need|something you need)\b"),
    ("opinion", r"\bwhat do you (?:think|make|reckon)\b|\bdo you (?:like|trust|believe|care)\b|\byour opinion\b"),
    ("praise", r"\b(?:well done|good work|you(?:'|’)?re (?:kind|good|great|wonderful|beautiful|clever|the best)|"
               r"i like (?:you|your|this place)|lovely place|best (?:ale|inn|tavern))\b"),
)  # fmt: skip
_COMPILED = tuple((remark, re.compile(pattern, re.IGNORECASE)) for remark, pattern in _PATTERNS)
_GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|greetings|good (?:morning|evening|day|afternoon)|well met|hail|howdy|salutations)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(
    r"\?\s*$|^\W*(?:who|what|where|when|why|how|which|is|are|was|were|do|does|did|can|could|have|has|will|would|tell me|"
    r"do you know|any news|have you heard)\b",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^\W*(?:please|give|show|bring|sell|let|open|close|take|come|go|follow|help|stop|wait|pour|fetch|make|hand|lend|"
    r"i(?:'|’)?d like|i want|i need|i(?:'|’)?ll have|may i|can i|could you|would you|can you)\b",
    re.IGNORECASE,
)
_YES = re.compile(
    r"^\W*(?:yes|yeah|yep|aye|sure|of course|all right|alright|ok|okay|agreed|deal|done)\b", re.IGNORECASE
)
_NO = re.compile(r"^\W*(?:no|nope|nay|never|not really|i won(?:'|’)?t|i can(?:'|’)?t)\b", re.IGNORECASE)

_SHORT = 6
_DONE: dict[str, Remark] = {
    "attacked": "blow",
    "gave_item": "gift",
    "approach": "arrival",
    "leave": "departure",
    "timer": "moment",
    "custom": "moment",
}


def remark(stimulus: Stimulus) -> Remark:
    if not stimulus.spoken:
        return _DONE.get(stimulus.kind, "deed" if stimulus.source.kind != "world" else "moment")
    text = (stimulus.text or "").strip()
    for kind, pattern in _COMPILED:
        if pattern.search(text):
            return kind
    greeted = _GREETING.search(text)
    rest = text[greeted.end() :].strip(" ,.!-") if greeted else text
    if greeted and not rest:
        return "greeting"
    if _REQUEST.search(rest):
        return "request"
    if _QUESTION.search(rest):
        return "question"
    if greeted and len(rest.split()) <= _SHORT:
        return "greeting"
    if _YES.search(rest):
        return "agreement"
    return "refusal" if _NO.search(rest) else "statement"


_WORD = re.compile(r"[^\W\d_][\w'’]*|\d+")
_COMMON = frozenset(
    """a about again all am an and any are as at be been but by can could did do does for from get give got had has have he
    her here him his how i if in into is it its just know let like me might more much must my no not now of on one or our
    out please say see she should so some someone something than that the their them then there these they thing think this
    those to too up us very want was way we well were what when where which while who why will with would yes you your tell
    heard hear ever really sure goodbye hello""".split()
)


def telling_words(text: str) -> frozenset[str]:
    """Stems of the words that say what a text is about."""
    words = (word.lower().strip("'’") for word in _WORD.findall(text))
    return frozenset(_stem(word) for word in words if word not in _COMMON and len(word) > 1)


def _stem(word: str) -> str:
    for ending in ("'s", "’s", "ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word
