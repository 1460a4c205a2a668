"""Who is told how it goes: turns, model calls and effects, each as it ends. Metrics are one; silence is the default."""

from __future__ import annotations

from typing import Literal, Protocol

EffectResult = Literal["done", "failed", "parked"]
"""A failed one will be tried again."""


class Observer(Protocol):
    def turn_ended(self, state: str, seconds: float) -> None:
        """`state` as in the turn row."""

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
        """`error` is a code; empty when it went well."""

    def effect_ended(self, effect: str, result: EffectResult, seconds: float) -> None:
        """Once for each attempt."""


class Silence:
    """An observer that takes no notice."""

    def turn_ended(self, state: str, seconds: float) -> None:
        del state, seconds

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
        del role, model, tokens_in, tokens_out, seconds, first_token, error

    def effect_ended(self, effect: str, result: EffectResult, seconds: float) -> None:
        del effect, result, seconds
