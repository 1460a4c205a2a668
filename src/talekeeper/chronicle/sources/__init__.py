"""Where events come from: forges, alerts, spans, sessions of coding agents, git itself, plain JSONL."""

from .files import read_file
from .intake import SOURCES, Intake, Received

__all__ = ["SOURCES", "Intake", "Received", "read_file"]
