"""The closed list of event kinds, and how a stored body becomes its type again."""

from __future__ import annotations

from typing import Any

import msgspec

from talekeeper.errors import CorruptWorld
from talekeeper.timeline.vocabulary import canon, fleet, governance, play, stream, world
from talekeeper.timeline.vocabulary.body import Body

BODIES: dict[str, type[Body]] = {
    body.kind: body
    for body in (
        world.WorldCreated, world.TimelineForked, world.SceneOpened, world.SceneEnded,
        world.SessionOpened, world.SessionClosed,
        play.ActionTaken, play.RollMade, play.OutcomeResolved, play.LineSpoken, play.DeedDone,
        play.NarrationTold, play.NarrationEdited, play.SecretTold, play.TimePassed,
        canon.ProposalStaged, canon.ProposalDecided,
        governance.DirectiveGiven, governance.GuardActed,
        stream.ChatSaid, stream.ChatFlagged, stream.ChatRemoved, stream.CompanionSpoke, stream.CompanionHeld,
    )
}  # fmt: skip

_decoders = {kind: msgspec.json.Decoder(body) for kind, body in BODIES.items()}
_fleet_decoder = msgspec.json.Decoder(fleet.FleetDeed)
_encoder = msgspec.json.Encoder()


def is_kind(kind: str) -> bool:
    return kind in BODIES or (kind.startswith(fleet.FLEET_PREFIX) and len(kind) > len(fleet.FLEET_PREFIX))


def encode_body(body: Body) -> str:
    try:
        return _encoder.encode(body).decode()
    except UnicodeEncodeError:
        return _encoder.encode(_whole_characters(msgspec.to_builtins(body))).decode()


def _whole_characters(value: Any) -> Any:
    """Half a character from a torn stream must not keep the rest from being kept."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8")
        case dict():
            return {_whole_characters(key): _whole_characters(item) for key, item in value.items()}
        case list() | tuple():
            return [_whole_characters(item) for item in value]
    return value


def decode_body(kind: str, text: str | bytes) -> Body:
    decoder: msgspec.json.Decoder[Body] | msgspec.json.Decoder[fleet.FleetDeed] | None
    decoder = _decoders.get(kind)
    if decoder is None and kind.startswith(fleet.FLEET_PREFIX):
        decoder = _fleet_decoder
    if decoder is None:
        raise CorruptWorld(
            f"This world holds an event of the unknown kind {kind!r}.", "A newer Talekeeper may have written it."
        )
    try:
        return decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise CorruptWorld(f"A {kind} event does not read: {error}.", "Restore the world from an export.") from error
