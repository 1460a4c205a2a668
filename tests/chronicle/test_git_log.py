"""A repository's own history: mailmap, merges, reverts, second tries, tags, every script."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from talekeeper.chronicle import AgentEvent
from talekeeper.chronicle.sources import git_log
from talekeeper.errors import BadInput


class Repository:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = 1_793_782_800
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, author: str = "Mara") -> str:
        self.clock += 60
        when = f"{self.clock} +0000"
        env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            env |= {f"GIT_{role}_NAME": author, f"GIT_{role}_EMAIL": f"{author}@x", f"GIT_{role}_DATE": when}
        done = subprocess.run(["git", "-C", self.path, *arguments], env=env, capture_output=True, check=True)
        return done.stdout.decode()

    def commit(self, message: str, author: str = "Mara") -> str:
        self.git("commit", "-q", "--allow-empty", "-m", message, author=author)
        return self.git("rev-parse", "HEAD").strip()

    def told(self) -> list[tuple[str, str, str]]:
        return [(event.kind.value, event.agent, event.detail) for event in self.read()]

    def read(self) -> list[AgentEvent]:
        return list(git_log.read(self.path))


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    (tmp_path / "tower").mkdir()
    return Repository(tmp_path / "tower")


def test_a_commit_keeps_its_sha_task_and_time(repo: Repository):
    sha = repo.commit("lamp: light it\n\nFixes #7")
    (event,) = repo.read()
    assert (event.kind.value, event.agent, event.detail, event.timestamp) == (
        "commit",
        "Mara",
        "lamp: light it",
        1_793_782_920.0,
    )
    assert (event.metadata["id"], event.metadata["sha"], event.metadata["task"]) == (f"git:{sha}", sha, "#7")
    assert event.metadata["repo"] == "tower"


@pytest.mark.parametrize(
    ("subject", "task"),
    [
        ("mend it (#12)", "#12"),
        ("mend #12 and more", "#12"),
        ("fix(wick): mend", "wick"),
        ("[wick] mend", "wick"),
        ("wick: mend", "wick"),
        ("fix: mend", None),
        ("mend the wick", None),
    ],
)
def test_what_a_subject_is_about(repo: Repository, subject: str, task: str | None):
    repo.commit(subject)
    assert repo.read()[0].metadata.get("task") == task


def test_a_revert_belongs_to_what_it_reverts_and_a_second_try_is_an_errand(repo: Repository):
    sha = repo.commit("wick: shorten it", author="Odo")
    repo.commit(f'Revert "wick: shorten it"\n\nThis reverts commit {sha}.')
    repo.commit('Reapply "wick: shorten it"')
    _, revert, again = repo.read()
    assert (revert.kind.value, revert.agent, revert.metadata["of"], revert.metadata["task"]) == (
        "abandon",
        "Mara",
        "Odo",
        "wick",
    )
    assert again.kind.value == "dispatch"


def test_merges_are_told_apart(repo: Repository):
    repo.commit("begin")
    for branch, into, message in [
        ("lamp", "main", "Merge pull request #8 from odo/lamp\n\nLight the lamp"),
        ("wick", "main", "Merge branch 'wick'"),
    ]:
        repo.git("checkout", "-q", "-b", branch)
        repo.commit(f"on {branch}")
        repo.git("checkout", "-q", into)
        repo.git("merge", "-q", "--no-ff", "-m", message, branch)
    repo.git("checkout", "-q", "wick")
    repo.commit("more")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge branch 'main' into wick", "main")
    merges = [(kind, detail) for kind, _, detail in repo.told() if kind not in ("commit",)]
    assert merges == [
        ("pr_merge", "#8: Light the lamp"),
        ("pr_merge", "Merge branch 'wick'"),
        ("push", "Merge branch 'main' into wick"),
    ]


def test_tags_are_milestones_and_co_authors_worked_together(repo: Repository):
    repo.commit("light it\n\nCo-authored-by: Odo <odo@x>\nCo-authored-by: Mara <mara@x>")
    repo.git("tag", "-a", "v1", "-m", "first light")
    assert repo.told() == [
        ("commit", "Mara", "light it"),
        ("collab", "Odo", "with Mara: light it"),
        ("milestone", "Mara", "tagged v1"),
    ]


def test_the_mailmap_joins_names(repo: Repository):
    (repo.path / ".mailmap").write_text("Mara of the Tower <Mara@x>\nMara of the Tower <m@y> mm <mm@x>\n")
    repo.git("add", ".mailmap")
    repo.commit("one")
    repo.commit("two", author="mm")
    assert {event.agent for event in repo.read()} == {"Mara of the Tower"}


def test_authors_in_every_script(repo: Repository):
    names = ["Мара", "麻蘭", "مارا", "Μάρα", "மாரா", "מרה", "Mara 🕯", "M̈ära"]
    for name in names:
        repo.commit(f"by {name}", author=name)
    assert [event.agent for event in repo.read()] == names


def test_since(repo: Repository):
    repo.commit("old")
    repo.clock += 86400 * 10
    repo.commit("new")
    assert [event.detail for event in git_log.read(repo.path, since="2026-11-10")] == ["new"]


def test_a_clock_that_was_wrong_by_years_gives_way_to_the_committer(repo: Repository):
    repo.git("commit", "-q", "--allow-empty", "-m", "x", "--date", "1990-01-01T00:00:00")
    assert repo.read()[0].timestamp > 1_793_000_000


def test_a_repository_without_commits_has_no_events(repo: Repository):
    assert repo.read() == []


def test_what_is_no_repository_is_said(tmp_path: Path):
    with pytest.raises(BadInput, match="git cannot read"):
        list(git_log.read(tmp_path / "nowhere"))
