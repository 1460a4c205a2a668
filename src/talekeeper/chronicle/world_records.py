"""Events of a timeline as the sifter reads them: what the fleet did, what people did to each other, what the chat said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from talekeeper.timeline.vocabulary import (
    FLEET_PREFIX,
    ChatFlagged,
    ChatSaid,
    CompanionSpoke,
    DeedDone,
    Event,
    FleetDeed,
    LineSpoken,
    OutcomeResolved,
    ProposalDecided,
    SecretTold,
)

from .claim_records import ClaimRecords
from .event import AgentEvent, EventKind
from .fleet_records import FleetRecords
from .sifter.record import Record

_SWORN = re.compile(
    r"\b(?:i|we) (?:swear|promise|vow)\b|\b(?:you have|on) my (?:word|honour|honor|oath)\b", re.IGNORECASE
)
_TAUGHT = re.compile(
    r"\b(?:teach|teaches|taught|lesson|let me show you|i(?:'|’)ll show you how|learn this)\b", re.IGNORECASE
)
_DONE_WELL = frozenset({"plain", "triumph", "success", "cost"})
_TO_SOMEBODY = {
    "attack": "harmed", "threaten": "estranged", "deceive": "deceived", "take": "robbed", "give": "helped", "defend": "helped",
}  # fmt: skip
_WELL, _ILL = frozenset({"helped", "allied", "reconciled"}), frozenset({"harmed", "deceived", "robbed"})


class WorldRecords:
    """Give it events in order. It remembers names, regard and oaths, because an event tells only what changed."""

    def __init__(self) -> None:
        self._claims = ClaimRecords()
        self._fleet = FleetRecords()
        self._sworn: dict[str, str] = {}
        self._known: set[str] = set()
        self._joined: set[tuple[str, str]] = set()

    def records(self, events: Iterable[Event]) -> Iterator[Record]:
        for event in events:
            yield from self.of(event)

    def name(self, entity: str) -> str:
        return self._claims.name(entity)

    def of(self, event: Event) -> list[Record]:
        """The records one event gives rise to, each under the event's own id."""
        body = event.body
        if isinstance(body, FleetDeed):
            return self._deed_of_fleet(event, body)
        if isinstance(body, ChatSaid | ChatFlagged | CompanionSpoke):
            return self._chat(event, body)
        found: list[Record] = []
        if isinstance(body, OutcomeResolved):
            found += self._outcome(event, body)
        elif isinstance(body, LineSpoken):
            found += self._words(event, body.speaker, body.to, body.text)
        elif isinstance(body, DeedDone):
            found += self._words(event, body.actor, "", body.text)
        elif isinstance(body, SecretTold):
            kind = "secret_revealed" if len(body.to) > 1 or event.witnesses == ("*",) else "secret_learned"
            found.append(self._record(event, kind, body.teller, "", body.text, secret=body.secret))
        elif isinstance(body, ProposalDecided) and body.decision == "accepted":
            found += self._claims.records(event, body.claims, event.by)
        return [*found, *(oath for record in found for oath in self._oaths(event, record))]

    def _deed_of_fleet(self, event: Event, body: FleetDeed) -> list[Record]:
        kind = event.kind.removeprefix(FLEET_PREFIX)
        if kind not in set(EventKind):
            return []
        about: dict[str, Any] = {**body.metadata, **({"task": body.task} if body.task else {})}
        return [self._fleet.record(AgentEvent(EventKind(kind), body.agent, body.detail, event.at, about), event.id)]

    def _outcome(self, event: Event, body: OutcomeResolved) -> list[Record]:
        found = []
        kind = _TO_SOMEBODY.get(body.verb)
        text = f"{body.verb}, {body.tier}"
        if body.tier not in ("plain", "blocked"):
            found.append(self._record(event, body.tier, body.actor, "", text))
        if kind and body.tier in _DONE_WELL:
            found += [
                self._record(event, kind, body.actor, one, text) for one in body.targets if one.startswith("person/")
            ]
        for reveal in body.reveals:
            found.append(self._record(event, "secret_kept", reveal.holder, "", reveal.text, secret=reveal.secret))
            found.append(self._record(event, "secret_revealed", body.actor, "", reveal.text, secret=reveal.secret))
        return [*found, *self._claims.records(event, body.consequences, body.actor)]

    def _words(self, event: Event, who: str, to: str, text: str) -> list[Record]:
        found = []
        if to and _SWORN.search(text):
            oath = f"{self.name(who)} to {self.name(to)}"
            self._sworn[oath] = event.id
            found.append(self._record(event, "oath_sworn", who, to, text, oath=oath))
        if to and _TAUGHT.search(text):
            found.append(self._record(event, "taught", who, to, text))
        return found

    def _oaths(self, event: Event, record: Record) -> list[Record]:
        """What somebody does to the one they swore to keeps the oath or breaks it."""
        if record.kind not in _WELL | _ILL:
            return []
        actor, target = str(record.fields.get("actor")), str(record.fields.get("target"))
        oath = f"{actor} to {target}"
        if self._sworn.get(oath) in (None, event.id):
            return []
        del self._sworn[oath]
        keys = {**record.keys, "oath": oath}
        return [
            Record(event.id, "oath_kept" if record.kind in _WELL else "oath_broken", record.at, keys, record.fields)
        ]

    def _chat(self, event: Event, body: ChatSaid | ChatFlagged | CompanionSpoke) -> list[Record]:
        if isinstance(body, ChatFlagged):
            return [Record(event.id, "chat_flagged", event.at, {"session": body.session}, {"detail": body.reason})]
        if isinstance(body, CompanionSpoke):
            return [Record(event.id, "companion_spoke", event.at, {"session": body.session}, {"detail": body.text})]
        keys = {"session": body.session, "person": body.name, "agent": body.name}
        saying = " ".join(body.text.casefold().split())
        if 3 <= len(saying) <= 40:
            keys["topic"] = saying
        fields = {"detail": body.text}
        found = [Record(event.id, "chat_said", event.at, keys, fields)]
        if (body.session, body.name) not in self._joined:
            self._joined.add((body.session, body.name))
            kind = "session_joined" if body.name in self._known else "chat_first"
            found.append(Record(event.id, kind, event.at, keys, fields))
        self._known.add(body.name)
        return found

    def _record(self, event: Event, kind: str, actor: str, target: str, text: str, **keys: str) -> Record:
        return self._claims.record(event, kind, actor, target, text, **keys)
