"""Episodes: what was said and done, verbatim, with who witnessed it, searchable by its words."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from sqlalchemy import DDL, BigInteger, Column, Connection, Index, Integer, Table, Text, delete, event, insert

from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.metadata import metadata
from talekeeper.timeline.store.text import storable
from talekeeper.timeline.vocabulary import (
    PUBLIC,
    ActionTaken,
    Body,
    ChatSaid,
    DeedDone,
    Event,
    LineSpoken,
    NarrationEdited,
    NarrationTold,
    SecretTold,
)

episode_table = Table(
    "episode",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True),
    Column("world", Text, nullable=False),
    Column("timeline", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("speaker", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("place", Text),
    Column("story_time", BigInteger),
    Column("scene", Text),
    Column("turn", Text),
    Column("witnesses", Text, nullable=False),
    Column("scope", Text, nullable=False),
    sqlite_autoincrement=True,
)
_INSERT = insert(episode_table)
Index("episode_event", episode_table.c.world, episode_table.c.timeline, episode_table.c.seq)

for _statement in (
    """CREATE VIRTUAL TABLE episode_words USING fts5(
        text, scope, content='episode', content_rowid='id', tokenize="porter unicode61 remove_diacritics 2")""",
    """CREATE TRIGGER episode_words_insert AFTER INSERT ON episode BEGIN
        INSERT INTO episode_words(rowid, text, scope) VALUES (new.id, new.text, new.scope); END""",
    """CREATE TRIGGER episode_words_delete AFTER DELETE ON episode BEGIN
        INSERT INTO episode_words(episode_words, rowid, text, scope) VALUES ('delete', old.id, old.text, old.scope); END""",
    """CREATE TRIGGER episode_words_update AFTER UPDATE ON episode BEGIN
        INSERT INTO episode_words(episode_words, rowid, text, scope) VALUES ('delete', old.id, old.text, old.scope);
        INSERT INTO episode_words(rowid, text, scope) VALUES (new.id, new.text, new.scope); END""",
):
    event.listen(episode_table, "after_create", DDL(_statement).execute_if(dialect="sqlite"))
for _statement in (
    """ALTER TABLE episode ADD COLUMN words tsvector GENERATED ALWAYS AS (
        to_tsvector('english', text) || to_tsvector('simple', scope)) STORED""",
    "CREATE INDEX episode_words ON episode USING gin (words)",
):
    event.listen(episode_table, "after_create", DDL(_statement).execute_if(dialect="postgresql"))


def project(conn: Connection, past: Path, events: Sequence[Event]) -> None:
    """Projection: an episode for everything that somebody could have seen or heard."""
    rows = [row for e in events if e.witnesses and (row := _row(past, e)) is not None]
    if rows:
        conn.execute(_INSERT, rows)


def _row(past: Path, e: Event) -> dict[str, Any] | None:
    told = _told(e.body)
    if told is None:
        return None
    speaker, text = told
    return {
        "world": past.world, "timeline": e.timeline, "seq": e.seq, "speaker": storable(speaker), "text": storable(text),
        "place": e.place, "story_time": e.story_time, "scene": e.scene, "turn": e.turn,
        "witnesses": " ".join(e.witnesses),
        "scope": " ".join(scope_word(past.world, witness) for witness in e.witnesses),
    }  # fmt: skip


def _told(body: Body) -> tuple[str, str] | None:
    """Who is speaking (empty for the narrator), and the words."""
    match body:
        case LineSpoken(speaker=speaker, text=text) | ChatSaid(name=speaker, text=text):
            return speaker, text
        case ActionTaken(actor=actor, text=text) | DeedDone(actor=actor, text=text):
            return actor, text
        case SecretTold(teller=teller, text=text):
            return teller, text
        case NarrationTold(text=text) | NarrationEdited(text=text):
            return "", text
    return None


def forget(conn: Connection, blanked: Event) -> None:
    """What was taken back is no longer remembered by anyone."""
    e = episode_table.c
    conn.execute(
        delete(episode_table).where(e.world == blanked.world, e.timeline == blanked.timeline, e.seq == blanked.seq)
    )


def scope_word(world: str, holder: str) -> str:
    """One index word for what one character of one world witnessed."""
    return "w" + hashlib.blake2b(f"{world}\0{holder}".encode(), digest_size=9).hexdigest()


def scopes_of(world: str, holder: str) -> tuple[str, str]:
    return scope_word(world, holder), scope_word(world, PUBLIC[0])
