"""The thinnest whole evening: a session, a line, a look, the status, the end, the ledger; through the real server."""

from __future__ import annotations

from pathlib import Path


async def test_from_start_to_ledger(door, clock):
    session = await door.begin()
    heard = await door.say(
        session, "The lamps in the harbour are lit one by one, as if somebody remembered each of them."
    )
    assert heard["actions_taken"] == ["LIBRARIAN_ARCHIVE"]
    assert heard["agent_response"] is None

    (look,) = await door.look()
    assert (look.reason, look.agent_response) == ("not_live", None)

    status = (await door.get("stream/status")).json()
    assert status["session"]["id"] == session
    assert status["session"]["message_count"] == 1
    assert status["hearthkeeper"]["last_human_chat_at"] is not None

    clock.advance(60)
    ended = (await door.form("session/end", session_id=session)).json()
    assert ended["status"] == "ended"
    written = _read(ended["ledger_path"])
    assert written.startswith("# Sanctum Ledger — 2023-11-14")
    assert "The lamps in the harbour" in written
    ledger = (await door.get("ledger", session_id=session)).json()
    assert ledger["ledger"] == written


def _read(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")
