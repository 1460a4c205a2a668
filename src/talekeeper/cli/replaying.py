"""The replay of a chat log on a house of its own, and how it is told."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from talekeeper.agents.storyteller import Storyteller
from talekeeper.app.engine import Engine
from talekeeper.app.settings import Settings
from talekeeper.app.stream_door import ROLE, companion_settings
from talekeeper.cli.console import BAD, EMBER, FAINT, aside, for_people, say, show_json
from talekeeper.cli.opening import settings_now
from talekeeper.doors.stream.chat_log import ChatLog, read_log
from talekeeper.doors.stream.replay import Moment, Replay, Summary, VirtualClock
from talekeeper.errors import BadInput
from talekeeper.loops.companion.channel import channel_name

BEGAN = 946684800.0
"""Midnight of 1 January 2000, UTC: so the times in the ledger are those of the log."""
MOST_BYTES = 512 << 20


def replayed(
    log: Path, *, speed: float, channel: str, dashboard: Path | None, bots: list[str], out: Path | None,
    use_model: bool, everything: bool, as_json: bool,
) -> None:  # fmt: skip
    settings = settings_now()
    read = _read(log)
    board = {"raw_markdown": dashboard.read_text(encoding="utf-8", errors="replace")} if dashboard else None
    moments: list[Moment] = []

    def tell(moment: Moment) -> None:
        moments.append(moment)
        if not as_json and (everything or moment.kind not in ("silent",)):
            _tell(moment)

    with tempfile.TemporaryDirectory(prefix="talekeeper-replay-") as folder:
        own = settings.model_copy(
            update={
                "home": Path(folder), "store_database_url": None, "store_synchronous": "NORMAL",
                "stream_channel": channel_name(channel),
                "stream_bots": ",".join([settings.stream_bots, *bots]), "stream_approval": False,
                "stream_export_path": str(out or settings.ledgers), "stream_discord_webhook": None,
            }
        )  # fmt: skip
        summary = asyncio.run(_play(own, read, board, speed, tell, use_model=use_model))
    if as_json:
        show_json({"summary": summary, "skipped": read.skipped, "moments": moments})
        return
    _conclude(summary, read)


def _read(log: Path) -> ChatLog:
    if log.stat().st_size > MOST_BYTES:
        raise BadInput(f"{log.name} is too large.", "Replay one stream at a time.")
    with log.open(encoding="utf-8", errors="replace") as lines:
        read = read_log(lines, BEGAN)
    if not read.lines:
        raise BadInput(f"{log.name} has no line of a chat in it.", "Its lines look like: [0:15:16] <name> text")
    return read


async def _play(
    settings: Settings, log: ChatLog, board: dict[str, Any] | None, speed: float, tell: Any, *, use_model: bool
) -> Summary:
    clock = VirtualClock(BEGAN)
    engine = Engine.open(settings, teller=Storyteller(), clock=clock)
    try:
        model = engine.models.of(ROLE) if use_model else None

        async def pace(seconds: float) -> None:
            await asyncio.sleep(seconds / speed)

        replay = Replay(engine, engine.tasks, companion_settings(settings), clock, model, pace if speed else None)
        async for moment in replay.play(log.lines, board):
            tell(moment)
        assert replay.summary is not None
        return replay.summary
    finally:
        await engine.close()


_STYLES = {"said": EMBER, "flagged": BAD, "silent": FAINT}


def _tell(moment: Moment) -> None:
    head = f"{_clock(moment.at)}  {moment.kind:8}"
    if moment.kind == "said":
        say(f"{head}{moment.text}", EMBER)
        why = f"({moment.mode}, {moment.reason.replace('_', ' ')}) {' '.join(moment.details)}".rstrip()
        say(f"{' ' * len(head)}{why}", FAINT)
    elif moment.kind == "flagged":
        say(f"{head}{moment.details[0]}: {moment.reason}", BAD)
        say(f"{' ' * len(head)}{moment.text}", FAINT)
    else:
        reason = moment.reason.replace("_", " ") if moment.kind == "silent" else moment.reason
        say(f"{head}{reason}{': ' if moment.details else ''}{' '.join(moment.details)}", _STYLES.get(moment.kind, ""))


def _conclude(summary: Summary, log: ChatLog) -> None:
    for_people().print()
    say(
        f"{summary.lines} lines of {summary.people} people in {_clock(summary.seconds)}: it would have spoken "
        f"{_times(summary.prompts)} by itself and answered {_times(summary.answers)}; "
        f"{summary.flags} lines flagged, {summary.clips} moments worth a clip."
    )
    if log.skipped:
        aside(f"{log.skipped} lines of the file are not lines of a chat and were left out.")
    say(f"The ledger: {summary.ledger}")


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _clock(seconds: float) -> str:
    whole = max(0, int(seconds))
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
