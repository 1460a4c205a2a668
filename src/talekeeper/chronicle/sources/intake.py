"""The way in for webhooks: whose it is, whether it is genuine, whether it is new, and what it says."""

from __future__ import annotations

import hashlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from talekeeper.errors import NotFound

from ..event import AgentEvent
from . import alertmanager, cloudevents, gitea, github, gitlab, otel
from .delivery import unpacked
from .recoveries import Recoveries
from .signature import verify

Parse = Callable[[str, Any, float], list[AgentEvent]]

SOURCES: Mapping[str, Parse] = {
    "github": github.parse,
    "gitea": gitea.parse,
    "forgejo": gitea.parse,
    "gitlab": gitlab.parse,
    "alertmanager": alertmanager.parse,
    "cloudevents": cloudevents.parse,
    "otel": otel.parse,
}
_REMEMBERED = 20_000


class Received(NamedTuple):
    """`duplicate`: this very body came before. `ignored`: the event's name, when it tells no story."""

    source: str
    events: tuple[AgentEvent, ...] = ()
    duplicate: bool = False
    ignored: str = ""


class Intake:
    """One for each hook. Every event it gives has an `id` in its metadata that is the same when it comes again."""

    def __init__(self, source: str, secret: str, clock: Callable[[], float]) -> None:
        if source not in SOURCES:
            raise NotFound(f"There is no source {source[:40]!r}.", f"There are: {', '.join(SOURCES)}.")
        self._source = source
        self._secret = secret
        self._clock = clock
        self._bodies: OrderedDict[bytes, None] = OrderedDict()
        self._recoveries = Recoveries()
        self.ignored: Counter[str] = Counter()

    def receive(self, headers: Mapping[str, str], body: bytes) -> Received:
        """Raises Unauthorized, TooLarge or BadInput; nothing of a refused delivery is remembered."""
        headers = {name.lower(): value for name, value in headers.items()}
        now = self._clock()
        source = detect(headers) or self._source
        if source not in (self._source, "gitea") or self._source not in ("github", "gitea", "forgejo"):
            source = "gitea" if self._source == "forgejo" else self._source
        verify(source, self._secret, headers, body, now)
        digest = hashlib.sha256(body).digest()
        # The delivery id is not signed, so a replay could change it; the body is.
        if digest in self._bodies:
            return Received(source, duplicate=True)
        payload = unpacked(headers, body)
        if source == "cloudevents":
            payload = cloudevents.envelope(headers, payload)
        what = event_name(headers)
        made = SOURCES[source](what, payload, now)
        self._bodies[digest] = None
        if len(self._bodies) > _REMEMBERED:
            self._bodies.popitem(last=False)
        if not made:
            name = what or source
            self.ignored[name] += 1
            return Received(source, ignored=name)
        events = tuple(self._recoveries.among(_named(made, f"{source}:{digest.hex()[:16]}")))
        return Received(source, events)


def detect(headers: Mapping[str, str]) -> str:
    """Gitea first: it sends GitHub's headers as well."""
    if any(name in headers for name in ("x-gitea-event", "x-forgejo-event", "x-gogs-event")):
        return "gitea"
    if "x-gitlab-event" in headers:
        return "gitlab"
    if "x-github-event" in headers:
        return "github"
    if "ce-specversion" in headers or headers.get("content-type", "").startswith("application/cloudevents"):
        return "cloudevents"
    return ""


def event_name(headers: Mapping[str, str]) -> str:
    for name in ("x-gitea-event", "x-forgejo-event", "x-gogs-event", "x-gitlab-event", "x-github-event"):
        if headers.get(name):
            return headers[name]
    return ""


def _named(events: list[AgentEvent], prefix: str) -> list[AgentEvent]:
    for index, event in enumerate(events):
        event.metadata.setdefault("id", f"{prefix}.{index}")
    return events
