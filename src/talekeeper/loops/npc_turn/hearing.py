"""What a game says happened, as events: the same kinds as at the play table, so that memory needs nothing of its own."""

from __future__ import annotations

from collections.abc import Iterable

from talekeeper.agents.npc.performance import Said
from talekeeper.agents.npc.sheet import in_words
from talekeeper.agents.npc.stimulus import Stimulus, deed
from talekeeper.loops.npc_turn.binding import source_entity
from talekeeper.timeline.ids import WORLD_ENTITY
from talekeeper.timeline.vocabulary import Body, DeedDone, LineSpoken, NarrationTold

TELLER = "game"


def happening(stimulus: Stimulus, entity: str, name: str) -> Body:
    """The stimulus as the body of an event; `entity` is who it is addressed to."""
    source = source_entity(stimulus.source)
    if source == WORLD_ENTITY or stimulus.kind in ("timer", "custom"):
        return NarrationTold(text=deed(stimulus, name), teller=TELLER)
    if stimulus.spoken:
        return LineSpoken(speaker=source, text=stimulus.text or "", to=entity)
    return DeedDone(actor=source, text=deed(stimulus, name))


def performed(said: Iterable[Said], speech: Iterable[str], entity: str, to: str) -> list[Body]:
    """What an NPC performed: words are lines, everything else is a deed."""
    spoken = frozenset(speech)
    return [
        LineSpoken(speaker=entity, text=piece.text, to=to if to != WORLD_ENTITY else "")
        if piece.tag in spoken and piece.text.strip()
        else DeedDone(actor=entity, text=deed_in_words(piece))
        for piece in said
    ]


def deed_in_words(piece: Said) -> str:
    """`wipes the counter`, or for a tag of the game's own `give (item: ale)`."""
    if piece.text.strip() and not piece.attrs:
        return piece.text.strip()
    details = in_words(piece.attrs)
    told = piece.tag.replace("_", " ") + (f" ({details})" if details else "")
    return f"{told}: {piece.text.strip()}" if piece.text.strip() else told
