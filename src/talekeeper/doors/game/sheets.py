"""What a game has told about its agents on one connection: the newest sheet of each, and who is waiting for one."""

from __future__ import annotations

import asyncio
from collections import OrderedDict

import msgspec

from talekeeper.agents.npc.sheet import DEFAULT_TAGS, Sheet, State, TurnLimits
from talekeeper.doors.game.decoding import Refused
from talekeeper.doors.game.incoming import AgentStateSnapshot, Revision
from talekeeper.loops.npc_turn.binding import entity_of
from talekeeper.observe.ids import NewId

_MOST_KEPT = 256
_MOST_REMEMBERED = 1_000


class Kept(msgspec.Struct, frozen=True):
    sheet: Sheet
    revision: Revision | None


class Request(msgspec.Struct, frozen=True):
    id: str
    entity: str
    answer: asyncio.Future[Sheet]
    known_revision: Revision | None


class Sheets:
    def __init__(self, new_id: NewId) -> None:
        self._new_id = new_id
        self._kept: OrderedDict[str, Kept] = OrderedDict()
        self._asked: dict[str, Request] = {}
        self._over: OrderedDict[str, str] = OrderedDict()
        """Requests nobody waits for any more: their answers are late, not wrong."""

    def ask(self, agent_id: str) -> Request:
        entity = entity_of(agent_id)
        kept = self._kept.get(entity)
        future: asyncio.Future[Sheet] = asyncio.get_running_loop().create_future()
        request = Request(self._new_id(), entity, future, kept.revision if kept else None)
        self._asked[request.id] = request
        return request

    def drop(self, request: Request) -> None:
        if self._asked.pop(request.id, None) is not None:
            self._over[request.id] = request.entity
            while len(self._over) > _MOST_REMEMBERED:
                self._over.popitem(last=False)

    def take(self, message: AgentStateSnapshot) -> None:
        """Keeps it, and gives it to whoever asked for it."""
        entity = entity_of(message.agent_id)
        request = self._asked.get(message.request_id) if message.request_id is not None else None
        if message.request_id is not None and request is None and self._over.get(message.request_id) != entity:
            raise Refused("invalid_payload", "Nobody asked for a snapshot with this request_id.")
        if request is not None and request.entity != entity:
            raise Refused("invalid_payload", "This request_id was for another agent.")
        sheet = self._merged(message, self._kept.get(entity))
        self._kept[entity] = Kept(sheet, message.revision)
        self._kept.move_to_end(entity)
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)
        if request is not None:
            del self._asked[request.id]
            if not request.answer.done():
                request.answer.set_result(sheet)

    def newest(self, agent_id: str) -> Sheet | None:
        kept = self._kept.get(entity_of(agent_id))
        return kept.sheet if kept else None

    @staticmethod
    def _merged(message: AgentStateSnapshot, kept: Kept | None) -> Sheet:
        if message.spec is not None:
            return Sheet(
                spec=message.spec, state=message.state or State(), parts=message.prompt_parts or (),
                tags=message.tags or DEFAULT_TAGS, tools=message.tools or (), limits=message.limits or TurnLimits(),
            )  # fmt: skip
        if kept is None:
            raise Refused("invalid_payload", "The first snapshot of an agent needs `spec`.")
        if message.revision != kept.revision:
            raise Refused(
                "invalid_payload", "A snapshot of another revision needs `spec`.", known_revision=kept.revision
            )
        given = {
            "state": message.state, "parts": message.prompt_parts, "tags": message.tags, "tools": message.tools,
            "limits": message.limits,
        }  # fmt: skip
        return msgspec.structs.replace(
            kept.sheet, **{name: value for name, value in given.items() if value is not None}
        )
