"""Alertmanager's webhook, version 4: what fires is an error, what is resolved a recovery, one by one by fingerprint."""

from __future__ import annotations

from typing import Any

from ..event import AgentEvent, EventKind
from .payload import known, moment, table, tables, text
from .recoveries import CHECK

SOURCE = "alertmanager"
_WHO = ("agent", "service", "job", "instance", "namespace", "alertname")


def parse(_event: str, payload: Any, now: float) -> list[AgentEvent]:
    events = []
    for alert in tables(payload, "alerts"):
        labels, status = table(alert, "labels"), text(alert, "status")
        if status not in ("firing", "resolved"):
            continue
        name = text(labels, "alertname") or "an alert"
        fingerprint = text(alert, "fingerprint") or f"{name}/{text(labels, 'instance')}"
        fired = status == "firing"
        at = moment(alert.get("startsAt") if fired else alert.get("endsAt")) or now
        said = text(alert, "annotations", "summary") or text(alert, "annotations", "description") or name
        about = known(
            id=f"alert:{fingerprint}:{text(alert, 'startsAt')}:{status}",
            source=SOURCE, service=text(labels, "service") or text(labels, "job"), title=said, task=f"{name} {fingerprint[:8]}",
            severity=text(labels, "severity"), url=text(alert, "generatorURL"), instance=text(labels, "instance"),
        )  # fmt: skip
        about[CHECK] = fingerprint
        agent = next((value for label in _WHO if (value := text(labels, label))), "")
        events.append(AgentEvent(EventKind.ERROR if fired else EventKind.RECOVERY, agent, said, at, about))
    return events
