"""What an NPC without a model can say about a subject: the best of what it was given to know and what it remembers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from talekeeper.agents.npc.hearing import telling_words
from talekeeper.agents.npc.performance import Performance

_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_GOAL_LEAD = re.compile(r"^(?:wants? to|to|trying to|hopes? to|needs? to)\s+", re.IGNORECASE)
_OWN = {"his": "my", "her": "my", "their": "my", "himself": "myself", "herself": "myself", "themselves": "myself"}


def sentence(text: str) -> str:
    """Trimmed, with a capital and a full stop."""
    text = " ".join(text.split())
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if text[-1] in ".!?…”" else text + "."


def facts_about(performance: Performance, about: str) -> list[str]:
    """What it knows that has to do with `about`, the closest first."""
    wanted = telling_words(about) - telling_words(performance.sheet.spec.name)
    scored = [
        (len(shared), -n, fact)
        for n, fact in enumerate(_facts(performance))
        if (shared := wanted & telling_words(fact))
    ]
    return [fact for _, _, fact in sorted(scored, reverse=True)]


def _facts(performance: Performance) -> Iterable[str]:
    spec = performance.sheet.spec
    for known in spec.knowledge or ():
        yield sentence(known)
    for tie in spec.relationships or ():
        if tie.notes:
            yield sentence(tie.notes if (tie.name or "") in tie.notes else f"{tie.name or tie.id}: {tie.notes}")
    name = re.compile(rf"\b{re.escape(spec.name)}\b", re.IGNORECASE)
    for text in (spec.backstory, spec.persona):
        for found in _SENTENCE.findall(text or ""):
            # Said of the speaker in the third person, it would sound like a stranger's words.
            if not name.search(found) and not re.search(r"\b(?:you|your|she|he|her|his)\b", found, re.IGNORECASE):
                yield sentence(found)


def goal(performance: Performance, pick: float) -> str:
    """One of its goals, as it would put it itself."""
    goals = [g for g in performance.sheet.spec.goals or () if g.strip()]
    if not goals:
        return ""
    told = _GOAL_LEAD.sub("", goals[int(pick * len(goals)) % len(goals)].strip())
    return sentence(re.sub(r"\b(\w+)\b", lambda word: _OWN.get(word[1].lower(), word[1]), told))


def quote(performance: Performance) -> str:
    """Something the one who speaks to it said before, in their own words."""
    said_by = performance.stimulus.source.called
    for memory in performance.remembers:
        speaker, _, words = memory.partition(": ")
        if speaker == said_by and 3 <= len(words.split()) <= 25 and words != performance.stimulus.text:
            return words.strip().rstrip(".")
    return ""


def subject(text: str) -> str:
    """What a question is about, short enough to be repeated: `the old mill`."""
    match = re.search(
        r"\b(?:about|of|for|know|where is|where's|who is|who's|what is|what's|is|are)\s+((?:the|a|an|my|your)?\s*[\w' -]{2,40})",
        text,
        re.IGNORECASE,
    )
    words = match[1].split() if match else []
    turned = {"my": "your", "your": "my", "me": "you", "you": "me"}
    kept = [turned.get(word.lower(), word) for word in words[:4]]
    return " ".join(kept) if telling_words(" ".join(kept)) else ""
