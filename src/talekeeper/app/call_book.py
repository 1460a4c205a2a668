"""Writes every model call down, charged to the turn it was made for, and tells the observer."""

from __future__ import annotations

from talekeeper.llm.metered import ModelCall
from talekeeper.observe.charge import charged_to
from talekeeper.observe.clock import Clock
from talekeeper.observe.observer import Observer
from talekeeper.observe.tasks import Supervisor
from talekeeper.timeline.model_calls import CallRecord, keep_call
from talekeeper.timeline.store import Store


class CallBook:
    def __init__(self, store: Store, tasks: Supervisor, clock: Clock, observer: Observer) -> None:
        self._store = store
        self._tasks = tasks
        self._clock = clock
        self._observer = observer

    def record(self, call: ModelCall) -> None:
        """Returns at once: nobody who waits for words waits for their audit."""
        charge = charged_to.get()
        kept = CallRecord(
            world=charge.world if charge else "", turn=charge.turn if charge else "", at=self._clock(),
            role=call.role, model=call.model, context=call.context_hash,
            tokens_in=call.usage.tokens_in, tokens_out=call.usage.tokens_out, estimated=call.usage.estimated,
            first_token=call.first_token, seconds=call.latency, finish_reason=call.finish_reason, error=call.error,
        )  # fmt: skip
        self._observer.model_called(
            kept.role, kept.model, tokens_in=kept.tokens_in, tokens_out=kept.tokens_out, seconds=kept.seconds,
            first_token=kept.first_token, error=kept.error,
        )  # fmt: skip
        self._tasks.spawn(self._store.write(lambda conn: keep_call(conn, kept)), "audit of a model call")
