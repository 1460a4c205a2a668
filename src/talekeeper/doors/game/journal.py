"""The logs of a game session: the conversation, and what the model read. JSON lines, each flushed, so a crash keeps them."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import msgspec
import structlog

log = structlog.get_logger("talekeeper.game")

_SECRET = ("token", "secret", "password", "authorization", "api_key", "apikey")
_DEEPEST = 40
_encode = msgspec.json.Encoder(enc_hook=str).encode


class Journal:
    """Files are made with the first line, readable by their owner only."""

    def __init__(self, folder: Path, session: str, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._talk = _Lines(folder / f"{session}.jsonl")
        self._model = _Lines(folder / f"{session}.llm.jsonl")

    def note(self, what: str, **details: Any) -> None:
        """Something of the session itself."""
        self._talk.write({"at": self._clock(), "what": what, **details})

    def received(self, message: msgspec.Struct) -> None:
        self._talk.write(
            {"at": self._clock(), "from": "client", "message": without_secrets(msgspec.to_builtins(message))}
        )

    def sent(self, message: msgspec.Struct) -> None:
        self._talk.write({"at": self._clock(), "from": "server", "message": message})

    def read_by_model(self, turn: str, agent: str, model: str, read: Any) -> None:
        entry = {"at": self._clock(), "turn_id": turn, "agent_id": agent, "model": model}
        self._model.write({**entry, "input": without_secrets(msgspec.to_builtins(read, enc_hook=str))})

    def said_by_model(self, turn: str, agent: str, ended: msgspec.Struct) -> None:
        self._model.write({"at": self._clock(), "turn_id": turn, "agent_id": agent, "output": ended})

    def close(self) -> None:
        self._talk.close()
        self._model.close()


class _Lines:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self._closed = False

    def write(self, entry: dict[str, Any]) -> None:
        if self._closed:
            return
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.fdopen(os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "ab")
            self._file.write(_encode(entry) + b"\n")
            self._file.flush()
        except OSError as error:
            # A full disk is no reason to stop playing.
            log.error("game_journal_lost", file=str(self._path), error=str(error))
            self._closed = True

    def close(self) -> None:
        self._closed = True
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None


def without_secrets(value: Any, depth: int = 0) -> Any:
    """The value with everything that is named like a secret hidden."""
    if depth > _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {key: "***" if _is_secret(key) else without_secrets(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_secrets(item, depth + 1) for item in value]
    return value


def _is_secret(key: Any) -> bool:
    name = str(key).lower()
    # max_output_tokens and the like count tokens, they are none.
    return any(word in name for word in _SECRET) and "tokens" not in name
