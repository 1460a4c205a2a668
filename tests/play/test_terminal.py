"""`talekeeper play` as a person meets it: piped, in a real terminal, cut off, and taken up again."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

TALEKEEPER = [sys.executable, "-m", "talekeeper.cli.main"]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """An environment with a home of its own and no ambient model."""
    kept = ("PATH", "HOME", "LANG", "SYSTEMROOT")
    return {name: os.environ[name] for name in kept if name in os.environ} | {
        "TALEKEEPER_HOME": str(tmp_path / "home"),
        "PYTHONIOENCODING": "utf-8",
    }


def play(home: dict[str, str], *lines: str, options: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TALEKEEPER, "play", *options],
        input="".join(f"{line}\n" for line in lines),
        env=home,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_a_stranger_plays_a_scene_through_a_pipe(home: dict[str, str]) -> None:
    told = play(home, "look around", "wait", options=("--seed", "7"))
    assert told.returncode == 0, told.stderr
    assert "told by storyteller" in told.stdout
    assert "▎ look around" in told.stdout
    after = told.stdout.partition("▎ wait")[2]
    assert len(after.split()) > 10, "the second turn is told as well"
    assert "\x1b[" not in told.stdout, "no colours where nobody can see them"


def test_the_same_seed_tells_the_same_story(home: dict[str, str], tmp_path: Path) -> None:
    lines = ("look around", "search the room", "wait")
    first = play(home, *lines, options=("--seed", "11"))
    other = play(home | {"TALEKEEPER_HOME": str(tmp_path / "other")}, *lines, options=("--seed", "11"))
    assert first.stdout == other.stdout


def test_it_goes_on_where_it_was_left(home: dict[str, str]) -> None:
    play(home, "look around", options=("--seed", "7"))
    back = play(home)
    assert "Previously:" in back.stdout
    assert "▎ look around" in back.stdout


def test_back_to_any_turn_with_the_world_reverted(home: dict[str, str]) -> None:
    told = play(home, "go out", "wait", "/backtrack 0", "/timelines", "look around", options=("--seed", "7"))
    assert "You are at turn 0, on t2." in told.stdout
    assert "t2" in told.stdout
    opening_place = told.stdout.partition("You are at turn 0")[2]
    assert "The Otter" in opening_place, "back in the inn where it began"


def test_the_x_card_takes_one_turn_back_and_no_more(home: dict[str, str]) -> None:
    told = play(home, "look around", "wait", "/x rewind", options=("--seed", "7"))
    assert "The X-card is on the table." in told.stdout
    assert "You are at turn 1, on t2." in told.stdout


def test_why_names_what_the_narrator_was_given(home: dict[str, str]) -> None:
    told = play(home, "look around", "/why", options=("--seed", "7"))
    assert "tokens, read at event" in told.stdout
    assert "present in the scene" in told.stdout


BAD_INPUT = {
    "/backtrack 999": "Nothing has happened yet",
    "/backtrack soon": "is not a turn",
    "/nonsense": "There is no command /nonsense",
    "/roll 1d": "Try something like",
    "/canon nobody of that name": "Canon knows nobody",
    "/switch t9": "has no timeline 't9'",
    "/directive": "What should the narrator do?",
    "/line": "What should not be told?",
    "x" * 100_000: "an action has at most",
    "look\x07around": "control character (U+0007)",
    "/retry": "There is no turn to tell again",
}


def test_bad_input_gets_a_clear_answer_and_changes_nothing(home: dict[str, str]) -> None:
    told = play(home, *BAD_INPUT, "/timelines", options=("--seed", "7"))
    assert told.returncode == 0, told.stderr
    answers = " ".join(told.stdout.split())
    for says in BAD_INPUT.values():
        assert says in answers
        answers = answers.partition(says)[2]
    assert "the first; turn 0" in answers


def test_an_unknown_preset_is_refused_with_the_known_ones(home: dict[str, str]) -> None:
    told = play(home, options=("--preset", "nowhere"))
    assert told.returncode == 2
    assert "There is no preset called 'nowhere'" in told.stderr
    assert "Traceback" not in told.stderr


def test_a_home_that_cannot_be_made_is_a_message(home: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    told = play(home | {"TALEKEEPER_HOME": str(tmp_path / "file" / "home")})
    assert told.returncode == 4
    assert "cannot be made" in told.stderr
    assert "Traceback" not in told.stderr


def test_the_opening_needs_nothing_heavy(home: dict[str, str]) -> None:
    look = """
import sys
from talekeeper.cli import play
from talekeeper.loops.scene.loop import SceneLoop
async def not_yet(self): pass
SceneLoop.warm = not_yet
play.Table._read = lambda self: print("LOADED", sorted({name.partition(".")[0] for name in sys.modules}))
play.play(world=None, preset=None, seed=1, plain=True)
"""
    for _ in range(2):  # the first start also makes the database, which needs alembic
        seen = subprocess.run(
            [sys.executable, "-c", look], env=home, capture_output=True, text=True, timeout=60, check=True
        )
    loaded = seen.stdout.partition("LOADED")[2]
    for heavy in ("langgraph", "langchain_core", "openai", "alembic", "fastapi", "uvicorn", "wordllama", "psycopg"):
        assert f"'{heavy}'" not in loaded


class Terminal:
    """A real pseudo-terminal with `talekeeper play` in it."""

    def __init__(self, env: dict[str, str]) -> None:
        leader, follower = pty.openpty()
        self.process = subprocess.Popen(
            [*TALEKEEPER, "play", "--seed", "7"],
            stdin=follower, stdout=follower, stderr=follower, env={**env, "TERM": "xterm-256color"}, start_new_session=True,
        )  # fmt: skip
        os.close(follower)
        self._leader = leader
        self.screen = ""

    def until(self, text: str, after: int = 0) -> None:
        while text not in self.screen[after:]:
            ready, _, _ = select.select([self._leader], [], [], 30)
            assert ready, f"{text!r} never came: {self.screen[-500:]}"
            self.screen += os.read(self._leader, 65536).decode("utf-8", "replace")

    def type(self, line: str) -> int:
        """Type a line; gives back where the screen stood."""
        stood = len(self.screen)
        os.write(self._leader, f"{line}\n".encode())
        return stood

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(timeout=30)
        os.close(self._leader)


def test_in_a_real_terminal(home: dict[str, str]) -> None:
    terminal = Terminal(home)
    try:
        terminal.until("› ")
        stood = terminal.type("look around")
        terminal.until("The Otter", stood)
        terminal.until("› ", stood)
        assert "\x1b[" in terminal.screen, "colours where they can be seen"
        terminal.type("/quit")
        assert terminal.process.wait(timeout=30) == 0
    finally:
        terminal.close()


def test_killed_at_the_prompt_nothing_is_lost(home: dict[str, str]) -> None:
    terminal = Terminal(home)
    try:
        terminal.until("› ")
        stood = terminal.type("look around")
        terminal.until("› ", stood)
        terminal.process.send_signal(signal.SIGKILL)
    finally:
        terminal.close()
    back = play(home, "/timelines")
    assert "turn 1" in back.stdout
