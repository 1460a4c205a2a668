"""What a turn's tag events amount to: frames for the viewers, segments and claims for the record."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any

from talekeeper.llm import tags
from talekeeper.loops.frames import TagChunk, TagClose, TagOpen
from talekeeper.loops.scene.work import Prose, Segment, ToldClaim
from talekeeper.timeline.vocabulary import Claim

SHOWN = ("narration", "do", "say")

Cue = tuple[str, str]
Emit = Callable[..., None]


class Told:
    def __init__(self, teller: str, cast: Set[str], actor: str) -> None:
        self.complete = True
        self._teller = teller
        self._cast = cast
        self._actor = actor
        self._attrs: dict[str, dict[str, str]] = {}
        self._segments: list[Segment] = []
        self._claims: list[ToldClaim] = []

    @property
    def text(self) -> str:
        """All that has been told so far, as those present saw and heard it."""
        return "\n".join(segment.text for segment in self._segments)

    def prose(self) -> Prose:
        return Prose(self._teller, tuple(self._segments), tuple(self._claims), self.complete)

    def take(self, event: object, role: str, speaker: str, prefix: str, emit: Emit) -> Cue | None:
        """One tag event; returns a cue when a character present is asked to speak."""
        match event:
            case tags.TagOpen(tag_id=tag_id, tag=tag, attrs=attrs):
                self._attrs[prefix + tag_id] = attrs = self._trusted(tag, attrs, speaker)
                if tag in SHOWN:
                    shown = {name: attrs[name] for name in ("who",) if name in attrs}
                    emit(TagOpen, tag=tag, tag_id=prefix + tag_id, attrs=shown)
            case tags.TagChunk(tag_id=tag_id, tag=tag, text=text):
                if tag in SHOWN:
                    emit(TagChunk, tag=tag, tag_id=prefix + tag_id, text=text)
            case tags.TagClose(tag_id=tag_id, tag=tag, text=text, reason=reason):
                attrs = self._attrs.pop(prefix + tag_id, {})
                if tag in SHOWN:
                    emit(TagClose, tag=tag, tag_id=prefix + tag_id, text=text, reason=reason)
                    self._keep(tag, text, attrs)
                elif tag == "cue":
                    who = attrs.get("who", "")
                    return (who, attrs.get("about", "")) if who in self._cast else None
                elif tag == "propose" and reason == "closed":
                    self._propose(attrs, text, role)
        return None

    def _trusted(self, tag: str, attrs: dict[str, str], speaker: str) -> dict[str, str]:
        """A voice speaks for its own character only, and nobody but the player acts for the player."""
        if speaker and tag in ("say", "do"):
            return {**attrs, "who": speaker}
        if tag == "do" and attrs.get("who") not in self._cast:
            return {name: value for name, value in attrs.items() if name != "who"}
        return attrs

    def _keep(self, tag: str, text: str, attrs: dict[str, str]) -> None:
        text = text.strip()
        if text:
            lines = attrs.get("lines", attrs.get("line", "")).split()
            self._segments.append(Segment(tag, text, attrs.get("who", ""), tuple(lines)))

    def _propose(self, attrs: dict[str, str], why: str, role: str) -> None:
        """Untrusted: typed here, judged by the canon gate."""
        claim = Claim(
            subj=attrs.get("subj", ""), pred=attrs.get("pred", ""), obj=_typed(attrs.get("obj", "")),
            slot=attrs.get("slot", ""),
        )  # fmt: skip
        self._claims.append(ToldClaim(role, claim, why.strip()[:500]))


def _typed(text: str) -> Any:
    try:
        return int(text)
    except ValueError:
        return text
