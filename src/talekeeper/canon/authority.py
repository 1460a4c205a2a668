"""Who may claim what, who may decide it, who may take it back. Deny by default."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

import msgspec

from talekeeper.errors import NotAllowed
from talekeeper.timeline.vocabulary import Claim


class Authority(msgspec.Struct, frozen=True):
    """Patterns over predicates (`*` for all)."""

    stage: tuple[str, ...] = ()
    decide: tuple[str, ...] = ()
    retract: tuple[str, ...] = ()


_ALL = ("*",)
_STORY = ("note", "mood", "condition", "about", "trait", "alias", "name", "look", "role", "status", "state", "thread")
_RULES = (
    "at", "harm", "condition", "mood", "state", "barred", "trust", "affection", "respect", "fear", "debt",
    "knows", "clock", "thread", "thread_beat", "time", "weather",
)  # fmt: skip

_CHARACTER = ("name", "role", "about", "voice", "goal")
"""A game makes its own people; it does not rewrite those it finds (the loop that binds them sees to that)."""
_FEELINGS = ("trust", "affection", "respect", "fear", "debt")

AUTHORITY: dict[str, Authority] = {
    "owner": Authority(stage=_ALL, decide=_ALL, retract=_ALL),
    "game_master": Authority(stage=_ALL, decide=_ALL, retract=_ALL),
    "world_builder": Authority(stage=_ALL, decide=_ALL, retract=()),
    "rules": Authority(stage=_RULES, decide=_RULES, retract=("condition", "state", "barred", "mood")),
    "canon_keeper": Authority(stage=_STORY, decide=_STORY, retract=()),
    "narrator": Authority(stage=_STORY),
    "npc_voice": Authority(stage=("note", "mood", "trait", "about")),
    "game": Authority(
        stage=(*_RULES, *_STORY, *_CHARACTER),
        decide=(*_CHARACTER, *_FEELINGS, "at", "harm", "mood", "state", "condition"),
    ),
    "player": Authority(stage=("note",)),
    "spectator": Authority(),
    "companion": Authority(stage=("note",)),
    "fleet": Authority(stage=("note",)),
}


def authority_of(role: str) -> Authority:
    return AUTHORITY.get(role, Authority())


def may(patterns: tuple[str, ...], pred: str) -> bool:
    return any(fnmatchcase(pred, pattern) for pattern in patterns)


def check_staging(role: str, claims: Iterable[Claim]) -> None:
    _check(role, claims, "claim", authority_of(role).stage)


def check_decision(role: str, claims: Iterable[Claim]) -> None:
    _check(role, claims, "decide", authority_of(role).decide)


def _check(role: str, claims: Iterable[Claim], doing: str, patterns: tuple[str, ...]) -> None:
    for claim in claims:
        if not may(patterns, claim.pred):
            raise NotAllowed(f"The role {role} may not {doing} `{claim.pred}`.", "The game master can.")
        if claim.retract and doing == "decide" and not may(authority_of(role).retract, claim.pred):
            raise NotAllowed(f"The role {role} may not take back `{claim.pred}`.", "The game master can.")
