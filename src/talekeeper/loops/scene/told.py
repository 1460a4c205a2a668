"""What a turn's tag events amount to: frames for the viewers, segments and claims for the record, past the guard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from talekeeper.agents.guard.guard import Finding, Guard, impersonation
from talekeeper.agents.guard.runs import last_sentence_end, sentence_spans
from talekeeper.llm import tags
from talekeeper.loops.frames import Notice, TagChunk, TagClose, TagOpen
from talekeeper.loops.scene.casting import Cast
from talekeeper.loops.scene.work import Prose, Segment, ToldClaim
from talekeeper.timeline.vocabulary import Claim, GuardActed

SHOWN = ("narration", "do", "say")

Cue = tuple[str, str]
Emit = Callable[..., None]


class GuardStepped(Exception):
    """The guard ends this take: to be told again, or to be left as it is."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.reason)
        self.again = finding.action == "regenerate"


class _Open(NamedTuple):
    attrs: dict[str, str]
    shown: bool


class Told:
    def __init__(self, teller: str, cast: Cast, guard: Guard, emit: Emit) -> None:
        self.complete = True
        self.acts: list[GuardActed] = []
        self._teller = teller
        self._cast = cast
        self._guard = guard
        self._emit = emit
        self._noticed = False
        self._open: dict[str, _Open] = {}
        self._waiting: dict[str, str] = {}
        """By tag: the sentence that is not finished."""
        self._segments: list[Segment] = []
        self._claims: list[ToldClaim] = []

    @property
    def text(self) -> str:
        """All that has been told so far, as those present saw and heard it."""
        return "\n".join(segment.text for segment in self._segments)

    def prose(self) -> Prose:
        return Prose(self._teller, tuple(self._segments), tuple(self._claims), self.complete, tuple(self.acts))

    def take(self, event: object, role: str, speaker: str, prefix: str) -> Cue | None:
        """One tag event; returns a cue when a character present is asked to speak."""
        match event:
            case tags.TagOpen(tag_id=tag_id, tag=tag, attrs=attrs):
                opened = self._begun(tag, attrs, speaker)
                self._open[prefix + tag_id] = opened
                if opened.shown:
                    shown = {name: opened.attrs[name] for name in ("who",) if name in opened.attrs}
                    self._emit(TagOpen, tag=tag, tag_id=prefix + tag_id, attrs=shown)
            case tags.TagChunk(tag_id=tag_id, tag=tag, text=text):
                if self._open[prefix + tag_id].shown:
                    self._show(tag, prefix + tag_id, text)
            case tags.TagClose(tag_id=tag_id, tag=tag, text=text, reason=reason):
                opened = self._open.pop(prefix + tag_id)
                if opened.shown:
                    self._close(tag, prefix + tag_id, text, opened.attrs, reason)
                elif tag == "cue":
                    return self._cue(opened.attrs.get("who", ""), opened.attrs.get("about", ""))
                elif tag in SHOWN:
                    return self._withheld(opened.attrs.get("who", ""), text, speaker)
                elif tag == "propose" and reason == "closed":
                    self._propose(opened.attrs, text, role)
        return None

    def _show(self, tag: str, tag_id: str, text: str, *, ends: bool = False) -> None:
        """At once; at a careful table sentence by sentence, without those that cross a boundary."""
        if not self._guard.careful:
            if text:
                self._emit(TagChunk, tag=tag, tag_id=tag_id, text=text)
            return
        waiting = self._waiting.pop(tag_id, "") + text
        finished = len(waiting) if ends else last_sentence_end(waiting)
        if not ends:
            self._waiting[tag_id] = waiting[finished:]
        for start, end in sentence_spans(waiting[:finished]):
            if start < end and self._guard.may_show(waiting[start:end]):
                self._emit(TagChunk, tag=tag, tag_id=tag_id, text=waiting[start:end])

    def _begun(self, tag: str, attrs: dict[str, str], speaker: str) -> _Open:
        """A voice speaks and acts for its own character only; the narrator speaks for nobody, and acts for no player."""
        who = attrs.get("who", "")
        if tag not in ("say", "do"):
            return _Open(attrs, shown=tag in SHOWN)
        if speaker:
            own = self._cast.find(who) in ("", speaker)
            return _Open({**attrs, "who": speaker if own else who}, shown=own)
        if tag == "say":
            return _Open(attrs, shown=False)
        doer = self._cast.present(who)
        return _Open({**attrs, "who": doer} if doer else {n: v for n, v in attrs.items() if n != "who"}, shown=True)

    def _close(self, tag: str, tag_id: str, text: str, attrs: dict[str, str], reason: str) -> None:
        finding = self._guard.check(text)
        if finding is not None:
            self._act(finding)
            text = finding.text
        self._show(tag, tag_id, "", ends=True)
        self._emit(TagClose, tag=tag, tag_id=tag_id, text=text, reason=reason)
        text = text.strip()
        if text and any(char.isalnum() for char in text):
            lines = attrs.get("lines", attrs.get("line", "")).split()
            self._segments.append(Segment(tag, text, attrs.get("who", ""), tuple(lines)))
        if finding is not None and finding.action == "stop":
            raise GuardStepped(finding)

    def _act(self, finding: Finding) -> None:
        if finding.action == "regenerate":
            self.acts.append(finding.event())
            raise GuardStepped(finding)
        self.acts.append(finding.event())
        if not self._noticed:
            self._noticed = True
            self._emit(Notice, code="redacted", message="(something the teller wrote was taken out)")

    def _cue(self, who: str, about: str) -> Cue | None:
        found = self._cast.present(who)
        return (found, about) if found else None

    def _withheld(self, who: str, text: str, speaker: str) -> Cue | None:
        """Words put into a mouth that was not the teller's to open. The narrator meant somebody to speak: let them."""
        if speaker or not self._cast.present(who):
            self._act(impersonation(who, text))
            return None
        return self._cue(who, " ".join(text.split())[:120])

    def _propose(self, attrs: dict[str, str], why: str, role: str) -> None:
        """Untrusted: typed here, judged by the canon gate."""
        claim = Claim(
            subj=attrs.get("subj", ""), pred=attrs.get("pred", ""), obj=_typed(attrs.get("obj", "")),
            slot=attrs.get("slot", ""),
        )  # fmt: skip
        finding = self._guard.check(f"{claim.obj}. {claim.slot}. {why}")
        if finding is not None:
            self._act(finding)
            return
        self._claims.append(ToldClaim(role, claim, why.strip()[:500]))


def _typed(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text
