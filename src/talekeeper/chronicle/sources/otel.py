"""OpenTelemetry GenAI spans (OTLP in JSON): agents invoked, tools executed, what failed and what then went well."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..event import AgentEvent, EventKind
from .payload import known, moment, table, tables, text
from .recoveries import CHECK

SOURCE = "otel"
_ERROR = (2, "STATUS_CODE_ERROR")
_STARTS = frozenset({"invoke_agent", "create_agent", "invoke_workflow"})


def parse(_event: str, payload: Any, now: float) -> list[AgentEvent]:
    events = []
    for resource in tables(payload, "resourceSpans"):
        service = _attributes(table(resource, "resource")).get("service.name", "")
        for scope in tables(resource, "scopeSpans"):
            for span in tables(scope, "spans"):
                events += _span(span, str(service), now)
    return sorted(events, key=lambda event: event.timestamp)


def _span(span: Mapping[str, Any], service: str, now: float) -> list[AgentEvent]:
    attributes = _attributes(span)
    operation = str(attributes.get("gen_ai.operation.name", ""))
    if not operation:
        return []
    agent = str(attributes.get("gen_ai.agent.name") or service or attributes.get("gen_ai.request.model") or "")
    tool = str(attributes.get("gen_ai.tool.name", ""))
    failed = span.get("status", {}).get("code") in _ERROR if table(span, "status") else False
    trace, own = text(span, "traceId"), text(span, "spanId")
    about = known(
        id=f"span:{trace}:{own}", source=SOURCE, service=service, operation=operation, tool=tool,
        model=attributes.get("gen_ai.response.model") or attributes.get("gen_ai.request.model"),
        task=attributes.get("gen_ai.conversation.id") or trace[:12], title=text(span, "name"),
        tokens_in=attributes.get("gen_ai.usage.input_tokens"), tokens_out=attributes.get("gen_ai.usage.output_tokens"),
    )  # fmt: skip
    about[CHECK] = f"{agent}/{tool or operation}"
    begin, end = moment(span.get("startTimeUnixNano")) or now, moment(span.get("endTimeUnixNano")) or now
    name = text(span, "name") or operation
    events = []
    if operation in _STARTS:
        events.append(AgentEvent(EventKind.DISPATCH, agent, name, begin, {**about, "id": f"{about['id']}:begin"}))
    if failed:
        why = text(span, "status", "message") or str(attributes.get("error.type", "")) or "failed"
        events.append(AgentEvent(EventKind.ERROR, agent, f"{name}: {why}", end, about))
    else:
        events.append(AgentEvent(EventKind.HEARTBEAT, agent, f"{name} done", end, about))
    return events


def _attributes(value: Mapping[str, Any]) -> dict[str, Any]:
    """OTLP writes each value under the name of its type."""
    plain = {}
    for pair in tables(value, "attributes"):
        for kind, inner in table(pair, "value").items():
            if kind == "intValue":
                plain[text(pair, "key")] = int(inner) if str(inner).lstrip("-").isdigit() else inner
            elif kind in ("stringValue", "boolValue", "doubleValue"):
                plain[text(pair, "key")] = inner
    return plain
