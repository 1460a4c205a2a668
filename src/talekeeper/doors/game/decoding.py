"""Bytes from a game become a message, or a refusal that says what is wrong with them."""

from __future__ import annotations

from typing import Any

import msgspec

from talekeeper.agents.npc.sheet import TagDeclaration
from talekeeper.doors.game.incoming import VERSION, AgentStateSnapshot, AnyIncoming, Incoming, NotificationEvent
from talekeeper.doors.game.outgoing import Code

MOST_BYTES = 1 << 20

_KINDS: dict[str, type[Any]] = {str(kind.__struct_config__.tag): kind for kind in Incoming.__subclasses__()}
_decoders = {name: msgspec.json.Decoder(kind) for name, kind in _KINDS.items()}


class _Envelope(msgspec.Struct, frozen=True):
    """As much as is needed to say which message was refused."""

    type: Any = None
    id: Any = None
    event_id: Any = None
    request_id: Any = None
    turn_id: Any = None
    agent_id: Any = None


_envelope = msgspec.json.Decoder(_Envelope)


class Refused(Exception):
    def __init__(
        self, code: Code, message: str, *, in_reply_to: str | None = None, agent_id: str | None = None, **details: Any
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.in_reply_to = in_reply_to
        self.agent_id = agent_id
        self.details = details or None


def decode(text: str) -> AnyIncoming:
    raw = text.encode("utf-8", "surrogatepass")
    try:
        envelope = _envelope.decode(raw)
    except msgspec.ValidationError as error:
        raise Refused("invalid_payload", f"A message is a JSON object: {error}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused("bad_json", f"This is not JSON: {error}.") from error
    except RecursionError as error:
        raise Refused("bad_json", "This JSON is nested too deeply.") from error
    reply = next((_text(i) for i in (envelope.id, envelope.event_id, envelope.request_id, envelope.turn_id) if i), None)
    agent = _text(envelope.agent_id)
    if not isinstance(envelope.type, str) or envelope.type not in _decoders:
        shown = "no type" if envelope.type is None else f"the type {str(envelope.type)[:60]!r}"
        known = ", ".join(_decoders)
        raise Refused("unknown_type", f"A message with {shown} is not known here.", in_reply_to=reply, known=known)
    try:
        message: AnyIncoming = _decoders[envelope.type].decode(raw)
        _check(message)
    except msgspec.ValidationError as error:
        raise Refused("invalid_payload", f"{envelope.type}: {error}.", in_reply_to=reply, agent_id=agent) from error
    except RecursionError as error:
        raise Refused("bad_json", "This JSON is nested too deeply.", in_reply_to=reply) from error
    except Refused as refused:
        refused.in_reply_to = reply
        refused.agent_id = agent
        raise
    return message


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) else None


def _check(message: AnyIncoming) -> None:
    """What the types cannot say."""
    if message.v is not None and message.v != VERSION:
        raise Refused("invalid_payload", f"This server speaks version {VERSION} of the protocol, not {message.v:g}.")
    if isinstance(message, AgentStateSnapshot):
        if message.tags is not None:
            _check_tags(message.tags)
        names = [tool.name for tool in message.tools or ()]
        if len(set(names)) != len(names):
            raise Refused("invalid_payload", "Two tools have the same name.")
    elif isinstance(message, NotificationEvent) and (message.agent_id is None) == (not message.agent_ids):
        raise Refused("invalid_payload", 'A notification has either agent_id (or "*") or agent_ids.')


def _check_tags(tags: tuple[TagDeclaration, ...]) -> None:
    if not tags:
        raise Refused("invalid_payload", "An agent needs at least one tag; leave `tags` out for say, emote and action.")
    keys = [tag.key for tag in tags]
    if len(set(keys)) != len(keys):
        raise Refused("invalid_payload", "Two tags have the same name (upper and lower case are the same).")
