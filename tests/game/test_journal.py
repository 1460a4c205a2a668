"""The logs of a session: readable after a crash, with what the model read, and without secrets."""

from __future__ import annotations

import asyncio
import stat

from talekeeper.doors.game.journal import Journal, without_secrets


async def test_a_session_is_logged_line_by_line_while_it_runs(tavern, game, speaker, log_lines):
    speaker.next("<say>Good evening.</say>", asyncio.Event())
    await game.say("Good evening")
    await game.until("agent_tag_close")
    await game.settle()
    (talk,) = [f for f in (tavern.settings.logs / "game").glob("*.jsonl") if not f.name.endswith(".llm.jsonl")]
    (read,) = (tavern.settings.logs / "game").glob("*.llm.jsonl")
    said = [line["message"] for line in log_lines(talk) if "message" in line]
    assert {"interaction_event", "get_agent_state", "agent_turn_started", "agent_tag_close"} <= {
        m["type"] for m in said
    }
    assert "Good evening." in [m.get("text") for m in said]
    (given,) = log_lines(read)
    assert given["model"] == "scripted"
    assert given["input"]["stimulus"]["text"] == "Good evening"
    assert stat.S_IMODE(talk.stat().st_mode) == 0o600


async def test_a_session_ends_with_a_summary(tavern, speaker, log_lines, until):
    async with tavern.game() as game:
        speaker.next("<say>Hello.</say>")
        await game.say("Hello")
        await game.turn()
        await game.raw("nonsense")
        await game.until("error")
    await until(lambda: not tavern.hub._connections)
    (talk,) = [f for f in (tavern.settings.logs / "game").glob("*.jsonl") if not f.name.endswith(".llm.jsonl")]
    summary = log_lines(talk)[-1]
    assert summary["what"] == "summary"
    assert (summary["turns_started"], summary["turns_finished"], summary["errors"]) == (1, 1, 1)
    assert summary["why"] == "the game left"


def test_what_is_named_like_a_secret_is_hidden():
    told = {"api_key": "k", "data": [{"Password": "p", "max_output_tokens": 5}], "text": "my token is safe"}
    assert without_secrets(told) == {
        "api_key": "***",
        "data": [{"Password": "***", "max_output_tokens": 5}],
        "text": "my token is safe",
    }


def test_a_journal_of_which_nothing_is_told_makes_no_file(tmp_path):
    journal = Journal(tmp_path / "game", "s1", lambda: 0.0)
    journal.close()
    assert not list(tmp_path.iterdir())


def test_a_full_disk_does_not_stop_the_game(tmp_path):
    (tmp_path / "game").write_text("a file where the folder should be")
    journal = Journal(tmp_path / "game", "s1", lambda: 0.0)
    journal.note("connected")
    journal.note("summary")
    journal.close()
