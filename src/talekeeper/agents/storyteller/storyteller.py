"""The storyteller as a teller: lays the turn out, writes its parts, and streams them word by word."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable

from talekeeper.agents.storyteller.answer import answer
from talekeeper.agents.storyteller.book import Book
from talekeeper.agents.storyteller.consequence import consequence
from talekeeper.agents.storyteller.lead import lead, omens, steps
from talekeeper.agents.storyteller.markup import empty_tag, pieces, tag
from talekeeper.agents.storyteller.proposals import proposals
from talekeeper.agents.storyteller.reaction import cues, reaction
from talekeeper.agents.storyteller.stage import Stage
from talekeeper.agents.storyteller.surroundings import feel
from talekeeper.agents.teller import Telling, Voicing
from talekeeper.errors import NotFound
from talekeeper.presets.library import load_preset
from talekeeper.presets.preset import Preset


class Storyteller:
    """A teller that needs no model and no network."""

    name = "storyteller"

    def __init__(self, find_preset: Callable[[str], Preset] = load_preset) -> None:
        self._find_preset = find_preset
        self._books: dict[str, Book] = {}

    async def tell(self, telling: Telling) -> AsyncIterator[str]:
        for piece in pieces(self.told(telling)):
            yield piece

    async def voice(self, voicing: Voicing) -> AsyncIterator[str]:
        for piece in pieces(self.voiced(voicing)):
            yield piece

    def told(self, telling: Telling) -> str:
        """The whole narration at once."""
        stage = Stage(telling, self._book(telling.preset))
        happened = consequence(stage)
        taken = reaction(stage)
        speaking = cues(stage)
        if taken is None and not speaking and stage.verb not in ("look", "move"):
            happened.append(feel(stage))
        moved = steps(stage)
        came = [step.text for step in moved] + omens(stage)
        after = [*came, "" if came and not moved else lead(stage, moved)]
        proposed = proposals(stage, moved)
        parts = [tag("narration", " ".join(filter(None, happened)), lines=" ".join(stage.picker.taken))]
        if taken is not None:
            parts.append(tag("do", taken.text, who=taken.who))
        parts += [empty_tag("cue", who=cue.who, about=cue.about) for cue in speaking]
        if any(after):
            parts.append(tag("narration", "\n\n".join(filter(None, after))))
        return "".join([*parts, *proposed])

    def voiced(self, voicing: Voicing) -> str:
        """One character's whole answer at once."""
        # Two who speak in one turn share its seed and must not draw the same lines.
        seed = voicing.seed ^ zlib.crc32(voicing.speaker.id.encode())
        return answer(voicing, self._book(voicing.preset), seed)

    def _book(self, preset: str) -> Book:
        if preset not in self._books:
            self._books[preset] = Book(self._found(preset))
        return self._books[preset]

    def _found(self, preset: str) -> Preset | None:
        try:
            return self._find_preset(preset) if preset else None
        except NotFound:
            return None
