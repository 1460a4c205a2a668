"""Structured logs: one JSON object a line, in a file that rotates; warnings and worse also on the terminal."""

from __future__ import annotations

import logging
import logging.handlers
from pathlib import Path
from typing import Any

import structlog

_MEGABYTE = 1 << 20
_SECRET = ("key", "token", "secret", "password", "authorization")


def configure_logs(level: str, file: Path | None = None) -> None:
    """Terminal programs pass no file level of their own: they show warnings only."""
    handlers: list[logging.Handler] = []
    shown = logging.StreamHandler()
    shown.setLevel(logging.WARNING)
    handlers.append(shown)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        kept = logging.handlers.RotatingFileHandler(file, maxBytes=10 * _MEGABYTE, backupCount=5, encoding="utf-8")
        kept.setLevel(level)
        handlers.append(kept)
    logging.basicConfig(
        level=min(logging.getLevelNamesMapping()[level], logging.WARNING),
        handlers=handlers,
        format="%(message)s",
        force=True,
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _hide_secrets,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def _hide_secrets(_logger: Any, _method: str, event: Any) -> Any:
    for name in event:
        if any(word in name.lower() for word in _SECRET):
            event[name] = "***"
    return event
