"""The story sifter: a small pattern language over streams of events."""

from .change import Change
from .condition import other_than, same_as
from .library import BOOKS, all_arcs, arcs
from .pattern import Pattern, arc
from .record import Record
from .sifter import Open, Sifter
from .told import Told
from .toml_patterns import parse_patterns, read_patterns
from .why_not import WhyNot

__all__ = [
    "BOOKS",
    "Change",
    "Open",
    "Pattern",
    "Record",
    "Sifter",
    "Told",
    "WhyNot",
    "all_arcs",
    "arc",
    "arcs",
    "other_than",
    "parse_patterns",
    "read_patterns",
    "same_as",
]
