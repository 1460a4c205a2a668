"""One turn of an NPC without a model: what it says, how it looks, what it does, in the game's own tags."""

from __future__ import annotations

from talekeeper.agents.npc.casting import Part, cast
from talekeeper.agents.npc.hearing import Remark, remark, telling_words
from talekeeper.agents.npc.performance import Performance, Said
from talekeeper.agents.npc.sheet import TagDeclaration
from talekeeper.agents.npc.storyteller.bank import Lines
from talekeeper.agents.npc.storyteller.lore import facts_about, goal, quote, sentence, subject
from talekeeper.agents.npc.storyteller.reaching import attributes, wanted_tag

_CROSS = ("annoy", "cross", "irritat", "angry", "anger", "furious", "upset", "offend", "grumpy", "hurt")
_ANSWERS_BY_FACT: frozenset[Remark] = frozenset({"question", "request", "opinion", "quest", "name"})
_LOOKS_WITH: frozenset[Remark] = frozenset(
    {"greeting", "gift", "insult", "threat", "apology", "arrival", "blow", "praise"}
)


def feeling(performance: Performance) -> str:
    """warm, guarded, hostile or annoyed: one word for mood and regard together."""
    if performance.attitude == "hostile":
        return "hostile"
    if any(word in performance.mood.lower() for word in _CROSS):
        return "annoyed"
    return performance.attitude


def answer(performance: Performance) -> list[Said]:
    return _Answer(performance).parts()


class _Answer:
    def __init__(self, performance: Performance) -> None:
        stimulus, spec = performance.stimulus, performance.sheet.spec
        self.performance = performance
        self.feeling = feeling(performance)
        self.kind: Remark = remark(stimulus)
        self.text = stimulus.text or ""
        self.granted = False
        """It does what was asked, with a tag of the game's own."""
        named = stimulus.source.name if stimulus.source.kind != "world" else None
        slots = {
            "who": named or "", "npc": spec.name, "role": spec.role or "", "item": stimulus.item,
            "topic": subject(self.text),
        }  # fmt: skip
        told = [said.text for exchange in performance.history for said in exchange.said]
        self.lines = Lines(performance.seed, self.feeling, slots, told)

    def parts(self) -> list[Said]:
        tags = self.performance.sheet.tags
        parts = cast(tags)
        own = wanted_tag([tag for tag in tags if parts[tag.key] == "other"], self.performance)
        filled = attributes(own, self.performance, self.feeling) if own else None
        self.granted = filled is not None
        told: list[Said] = []
        if self.kind in _LOOKS_WITH or self.lines.chance(0.35):
            told += self._tag(tags, parts, "look", self.lines.pick("look"))
        told += self._tag(tags, parts, "speech", self.speech())
        if self.kind in ("blow", "gift"):
            told += self._tag(tags, parts, "deed", self.lines.pick(f"act_{self.kind}"))
        elif self.lines.chance(0.25):
            told += self._tag(tags, parts, "deed", self.lines.pick("act"))
        if own and filled is not None:
            told.append(Said(own.key, "", filled))
        return told

    def _tag(self, tags: tuple[TagDeclaration, ...], parts: dict[str, Part], part: Part, text: str) -> list[Said]:
        """The text in the first tag of that part which can be filled; speech is never left out."""
        if not text:
            return []
        for tag in tags:
            if parts[tag.key] == part:
                filled = attributes(tag, self.performance, self.feeling)
                if filled is not None or part == "speech":
                    return [Said(tag.key, text, filled or {})]
        return []

    def speech(self) -> str:
        said = [self._opening(), *self._reply(), self._lead()]
        return " ".join(dict.fromkeys(filter(None, said)))

    def _opening(self) -> str:
        history = self.performance.history
        if history and history[-1].cut_short:
            often = sum(exchange.cut_short for exchange in history) > 1
            return self.lines.pick("cut_short", "guarded" if self.feeling == "annoyed" and not often else None)
        if not history or self.kind in ("greeting", "arrival"):
            if self.performance.met_before and self.kind != "apology":
                return self.lines.pick("again")
            if self.kind in ("question", "request", "statement", "quest") and self.lines.chance(0.3):
                return self.lines.pick("greeting")
        return ""

    def _reply(self) -> list[str]:
        if self.performance.continues:
            return [self._tool_answer()]
        if self.granted:
            return [self.lines.pick("granted")]
        if self.kind in _ANSWERS_BY_FACT and (fact := self._fact()):
            return [fact]
        if self.kind == "quest":
            wanted = goal(self.performance, self.lines.rng.random())
            return [self.lines.pick("quest", goal=wanted) or self.lines.pick("unknown")]
        if self.kind == "question":
            recalled = quote(self.performance)
            return [self.lines.pick("remember", quote=recalled) if recalled else self.lines.pick("unknown")]
        if self.kind in ("greeting", "arrival") and self.performance.met_before:
            recalled = quote(self.performance)
            again = self.lines.pick("remember", quote=recalled) if recalled and self.lines.chance(0.5) else ""
            return [again]
        if self.kind == "statement" and (fact := self._fact()):
            return [fact]
        return [self.lines.pick(self.kind)]

    def _fact(self) -> str:
        if self.feeling == "hostile" and self.lines.chance(0.5):
            return ""
        found = facts_about(self.performance, self.text) or self._just_noticed()
        fresh = [fact for fact in found if not self.lines.told(fact)]
        if fresh:
            return self.lines.pick("fact", fact=fresh[0])
        return self.lines.pick("fact_again", fact=found[0]) if found else ""

    def _just_noticed(self) -> list[str]:
        """Asked what that was, it tells what it noticed."""
        vague = self.kind == "question" and not telling_words(self.text)
        return [sentence(self.performance.noticed[-1])] if vague and self.performance.noticed else []

    def _tool_answer(self) -> str:
        results = self.performance.continues
        ok = all(use.ok for use in results)
        content = " ".join(sentence(use.content) for use in results if use.content)
        return self.lines.pick("tool_done" if ok else "tool_failed", fact=content)

    def _lead(self) -> str:
        """Now and then something of its own, so that there is always a thread to pull."""
        if self.kind not in ("greeting", "wellbeing", "statement", "thanks", "praise") or self.feeling == "hostile":
            return ""
        wish = goal(self.performance, self.lines.rng.random())
        return (
            self.lines.pick("goal", goal=wish) if wish and not self.lines.told(wish) and self.lines.chance(0.4) else ""
        )
