"""An observer that counts for Prometheus. Imported by the server only: the library takes a tenth of a second to load."""

from __future__ import annotations

from functools import cache

from prometheus_client import REGISTRY, CollectorRegistry, Counter, Histogram

from talekeeper.observe.observer import EffectResult

_QUICK = (0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_PATIENT = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80)


class Metrics:
    def __init__(self, registry: CollectorRegistry = REGISTRY) -> None:
        def counter(name: str, about: str, *labels: str) -> Counter:
            return Counter(f"talekeeper_{name}", about, labels, registry=registry)

        def histogram(name: str, about: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
            return Histogram(f"talekeeper_{name}", about, labels, registry=registry, buckets=buckets)

        self._turns = counter("turns", "Turns that ended, by state.", "state")
        self._turn_seconds = histogram(
            "turn_seconds", "From the acceptance of an action to the end of its turn.", _PATIENT
        )
        self._calls = counter(
            "model_calls", "Calls of models; error is empty when all went well.", "role", "model", "error"
        )
        self._tokens = counter("model_tokens", "Tokens sent to and received from models.", "role", "model", "direction")
        self._call_seconds = histogram("model_call_seconds", "A model's whole answer.", _PATIENT, "role", "model")
        self._first_word = histogram(
            "model_first_token_seconds", "Until a model's first word.", _PATIENT, "role", "model"
        )
        self._effects = counter("effects", "Effects that ended, by result.", "effect", "result")
        self._effect_seconds = histogram("effect_seconds", "One effect.", _QUICK, "effect")

    def turn_ended(self, state: str, seconds: float) -> None:
        self._turns.labels(state).inc()
        self._turn_seconds.observe(seconds)

    def model_called(
        self,
        role: str,
        model: str,
        *,
        tokens_in: int,
        tokens_out: int,
        seconds: float,
        first_token: float | None,
        error: str,
    ) -> None:
        self._calls.labels(role, model, error).inc()
        self._tokens.labels(role, model, "in").inc(tokens_in)
        self._tokens.labels(role, model, "out").inc(tokens_out)
        self._call_seconds.labels(role, model).observe(seconds)
        if first_token is not None:
            self._first_word.labels(role, model).observe(first_token)

    def effect_ended(self, effect: str, result: EffectResult, seconds: float) -> None:
        self._effects.labels(effect, result).inc()
        self._effect_seconds.labels(effect).observe(seconds)


@cache
def process_metrics() -> Metrics:
    """Those of this process; Prometheus takes each name once."""
    return Metrics()
