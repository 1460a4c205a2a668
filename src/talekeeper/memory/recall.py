"""A first recall: the words of a cue against what one character witnessed. Nobody recalls what they did not witness.

Each word looks at its newest few hundred episodes only, so the cost does not grow with the past; a rare word's whole
history fits in that, so old facts are found as well as new ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection, func, select, text

from talekeeper.memory.episodes import episode_table, scopes_of
from talekeeper.timeline.events import read_events
from talekeeper.timeline.ids import event_id, parse_event_id
from talekeeper.timeline.lineage import Path
from talekeeper.timeline.store.asked import Question
from talekeeper.timeline.vocabulary import PUBLIC, NarrationEdited

POSTINGS = 400
MOST_WORDS = 8
_PAGE = 24
_WORD = re.compile(r"[^\W\d_][\w'’]+|\d+")
_COMMON = frozenset(
    """a about above after again against all also am an and any are as at be because been before being below between both
    but by can could did do does doing done down during each few for from further get go goes going got had has have having
    he her here hers herself him himself his how i if in into is it its itself just know let like look me might more most
    much must my myself no nor not now of off on once one only or other our ours ourselves out over own same say see she
    should so some such than that the their theirs them themselves then there these they thing think this those through to
    too try under until up upon us very want was way we well were what when where which while who whom whose why will with
    would yes you your yours yourself yourselves ask tell talk take give walk""".split()
)


class Recalled(msgspec.Struct, frozen=True):
    event: str
    speaker: str
    text: str
    story_time: int | None
    turn: str | None
    score: float
    parts: dict[str, float]
    """How much each word of the cue contributed."""


_SIZE = Question(select(func.max(episode_table.c.id)))


def recall(
    conn: Connection,
    past: Path,
    holder: str,
    cue: str,
    *,
    limit: int = 8,
    leave_out: Iterable[str] = (),
) -> list[Recalled]:
    """What `holder` remembers about `cue` on this path, strongest first; the same on every run."""
    words = cue_words(cue)
    size = _SIZE.one(conn, {}) or 0
    weights: dict[str, float] = {}
    holding: dict[str, set[int]] = {}
    scores: dict[int, float] = {}
    for word in words:
        ids = _postings(conn, past.world, holder, word)
        weight = weights[word] = _rarity(ids, size)
        holding[word] = set(ids)
        for episode in ids:
            scores[episode] = scores.get(episode, 0.0) + weight
    # Strongest first, of equal ones the newest: sorting keeps the order of equals.
    ranked = sorted(sorted(scores, reverse=True), key=scores.__getitem__, reverse=True)
    skip = set(leave_out)
    found: list[Recalled] = []
    for start in range(0, len(ranked), _PAGE):
        for row in _rows(conn, past, holder, ranked[start : start + _PAGE]):
            event = event_id(row.timeline, row.seq)
            if event in skip:
                continue
            skip.add(event)
            parts = {word: round(weights[word], 3) for word in sorted(words) if row.id in holding[word]}
            found.append(
                Recalled(event, row.speaker, row.text, row.story_time, row.turn, round(sum(parts.values()), 3), parts)
            )
            if len(found) == limit:
                return _as_edited(conn, past, found)
    return _as_edited(conn, past, found)


def cue_words(cue: str) -> list[str]:
    """The telling words of a cue, longest first: they are the rarest as a rule."""
    words = {w.strip("'’").lower() for w in _WORD.findall(cue[:4000])}
    kept = sorted((w for w in words if w not in _COMMON and len(w) > 1), key=lambda w: (-len(w), w))
    return kept[:MOST_WORDS]


def _rarity(ids: Sequence[int], size: int) -> float:
    """Inverse document frequency; past the cap it is estimated from how far back the newest few hundred reach."""
    if not ids:
        return 0.0
    count = float(len(ids))
    if len(ids) == POSTINGS:
        count = POSTINGS * size / max(1, ids[0] - ids[-1])
    return math.log1p(size / count)


# One row with all the ids: hundreds of rows cost more to hand over than to find.
_POSTINGS = {
    dialect: Question(text(statement))
    for dialect, statement in {
        "sqlite": """
            select json_group_array(id) from (
              select rowid as id from episode_words where episode_words match :match order by rowid desc limit :most)""",
        # A word that Postgres finds too common to index would match everything.
        "postgresql": """
            select coalesce(json_agg(id order by id desc), '[]')::text from (
              select id from episode
              where words @@ (plainto_tsquery('english', :word) && to_tsquery('simple', :scope))
                and numnode(plainto_tsquery('english', :word)) > 0
              order by id desc limit :most) as newest""",
    }.items()
}
_ids = msgspec.json.Decoder(list[int]).decode


def _postings(conn: Connection, world: str, holder: str, word: str) -> list[int]:
    """The newest episodes with this word in this character's scope, newest first."""
    mine, everyones = scopes_of(world, holder)
    if conn.dialect.name == "sqlite":
        quoted = word.replace('"', '""')
        arguments = {"match": f'(scope : {mine} OR scope : {everyones}) AND text : "{quoted}"'}
    else:
        arguments = {"word": word, "scope": f"{mine} | {everyones}"}
    return _ids(_POSTINGS[conn.dialect.name].one(conn, {**arguments, "most": POSTINGS}))


_EPISODES = {
    dialect: Question(
        text(f"""
        select id, timeline, seq, speaker, text, story_time, turn, witnesses from episode
        where world = :world and id in ({ids})""")
    )
    for dialect, ids in {
        "sqlite": "select value from json_each(:ids)",
        "postgresql": "select value::bigint from jsonb_array_elements_text(cast(:ids as jsonb))",
    }.items()
}


def _rows(conn: Connection, past: Path, holder: str, ids: Sequence[int]) -> list[Recallable]:
    """The hard filter: on this path, and witnessed by this character. In the order of `ids`."""
    arguments = {"world": past.world, "ids": msgspec.json.encode(ids).decode()}
    rows = {
        row[0]: Recallable(*row[:7])
        for row in _EPISODES[conn.dialect.name].ask(conn, arguments)
        if {holder, *PUBLIC} & set(row[7].split(" ")) and past.holds(row[1], row[2])
    }
    return [rows[i] for i in ids if i in rows]


class Recallable(msgspec.Struct, frozen=True):
    id: int
    timeline: str
    seq: int
    speaker: str
    text: str
    story_time: int | None
    turn: str | None


def _as_edited(conn: Connection, past: Path, found: list[Recalled]) -> list[Recalled]:
    """A corrected narration is remembered once, as corrected, by whichever of its wordings it was found."""
    if not found:
        return found
    oldest = min(parse_event_id(r.event).seq for r in found)
    original: dict[str, str] = {}
    newest: dict[str, str] = {}
    for event in read_events(conn, past, after=oldest - 1, kinds=[NarrationEdited.kind]):
        if isinstance(event.body, NarrationEdited):
            original[event.id] = event.body.event
            newest[event.body.event] = event.body.text
    kept: dict[str, Recalled] = {}
    for memory in found:
        about = original.get(memory.event, memory.event)
        kept.setdefault(about, msgspec.structs.replace(memory, event=about, text=newest.get(about, memory.text)))
    return list(kept.values())
