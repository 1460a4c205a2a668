"""The history of a repository: commits, merges, reverts, second tries, tags, and who worked together."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from talekeeper.errors import BadInput, Unavailable

from ..event import AgentEvent, EventKind
from .payload import closed_issue, known

SOURCE = "git"
K = EventKind

_FIELDS = "%H%x00%P%x00%aN%x00%at%x00%ct%x00%s%x00%b"
_WIDTH = 7
_YEAR = 365 * 86400

_PULL = re.compile(r"Merge (?:pull request|PR) #(\d+)(?: from (\S+))?|See merge request \S*!(\d+)", re.IGNORECASE)
_SYNC = re.compile(r"Merge (?:remote-tracking )?branch '([^']+)'(?: of \S+)?(?: into (\S+))?")
_SQUASHED = re.compile(r"\(#(\d+)\)\s*$")
_NUMBER = re.compile(r"(?<![\w&])#(\d+)\b")
_REVERTED = re.compile(r"This reverts commit ([0-9a-f]{7,40})")
_REVERT = re.compile(r"\ARevert\b:?\s*[\"“]?(.*?)[\"”]?\s*(?:\(#\d+\))?\Z", re.IGNORECASE)
_AGAIN = re.compile(
    r"\A(?:Reapply|Reland|Re-land|Revert\s+[\"“]Revert)\b:?\s*[\"“]*(.*?)[\"”]*\s*(?:\(#\d+\))?\Z", re.IGNORECASE
)
_CO_AUTHOR = re.compile(r"^Co-authored-by:\s*(.+?)\s*<[^>]*>\s*$", re.IGNORECASE | re.MULTILINE)
_SCOPED = re.compile(r"\A(?:[a-z]+\(([^)]+)\)!?:|\[([^\]]{2,32})\]|([\w./-]{2,24}):)\s*\S")
_TYPES = frozenset(
    {"fix", "feat", "chore", "docs", "test", "tests", "refactor", "style", "perf", "build", "ci", "wip", "revert"}
)
_MAIN = frozenset({"main", "master", "trunk", "develop", "dev", "next"})


class _Commit(NamedTuple):
    sha: str
    parents: list[str]
    author: str
    at: float
    subject: str
    body: str


def read(path: Path, *, since: str = "", until: str = "", repo: str = "") -> Iterator[AgentEvent]:
    """Events in order of time. Names go through the repository's mailmap."""
    repo = repo or (path.resolve().name.removesuffix(".git") or "repository")
    commits = sorted(_commits(path, since, until), key=lambda commit: commit.at)
    events = [*_tags(path, repo, {commit.sha for commit in commits})]
    known_tasks: dict[str, tuple[str, str]] = {}
    for commit in commits:
        made = _events(commit, repo, known_tasks)
        # A revert names its commit by hash, but a history that was moved keeps only the words.
        known_tasks[commit.sha] = known_tasks[commit.subject] = (str(made[0].metadata.get("task", "")), commit.author)
        events += made
    events.sort(key=lambda event: event.timestamp)
    yield from events


def _commits(path: Path, since: str, until: str) -> Iterator[_Commit]:
    options = [f"--since={since}"] * bool(since) + [f"--until={until}"] * bool(until)
    output = _git(
        path,
        "log",
        "--reverse",
        "--use-mailmap",
        "--no-color",
        "--no-show-signature",
        "-z",
        f"--format=tformat:{_FIELDS}",
        *options,
    )
    fields = output.split("\0")
    for index in range(0, len(fields) - _WIDTH + 1, _WIDTH):
        sha, parents, author, written, committed, subject, body = fields[index : index + _WIDTH]
        at, landed = float(written or 0), float(committed or 0)
        # A clock can be wrong by years; then the moment it landed is the better witness.
        yield _Commit(
            sha, parents.split(), author.strip(), landed if abs(at - landed) > _YEAR else at, subject.strip(), body
        )


def _events(commit: _Commit, repo: str, known_tasks: dict[str, tuple[str, str]]) -> list[AgentEvent]:
    subject, whole = commit.subject, f"{commit.subject}\n{commit.body}"
    squashed, numbered = _SQUASHED.search(subject), _NUMBER.search(subject)
    task = (
        f"#{squashed.group(1)}"
        if squashed
        else closed_issue(whole) or (numbered.group() if numbered else "") or _topic(subject)
    )
    about = known(id=f"git:{commit.sha}", source=SOURCE, repo=repo, sha=commit.sha, actor=commit.author, task=task)
    kind, detail = K.COMMIT, subject
    pull, sync = _PULL.search(whole), _SYNC.match(subject)
    reverted, revert = _REVERTED.search(commit.body), _REVERT.match(subject)
    if len(commit.parents) > 1 and pull:
        number = pull.group(1) or pull.group(3)
        title = (
            next((line.strip() for line in commit.body.splitlines() if line.strip()), "") if pull.group(1) else subject
        )
        kind, detail = K.PR_MERGE, f"#{number}: {title}" if title else f"#{number}"
        about |= {"number": int(number), "task": f"#{number}"} | known(branch=pull.group(2) or "", title=title)
    elif len(commit.parents) > 1:
        # Taking the main line into one's own branch is housekeeping; the other way round something was finished.
        branch = sync.group(1) if sync else ""
        home = not sync or (sync.group(2) or "main") in _MAIN
        kind = K.PR_MERGE if home and branch not in _MAIN else K.PUSH
        about |= known(branch=branch)
    elif again := _AGAIN.match(subject):
        kind = K.DISPATCH
        about |= known(task=_undone(again.group(1), "", known_tasks)[0] or task)
    elif reverted or (revert and revert.group(1)):
        kind = K.ABANDON
        what, whose = _undone(revert.group(1) if revert else "", reverted.group(1) if reverted else "", known_tasks)
        about |= known(reverts=reverted.group(1) if reverted else "", of=whose, task=what or task)
    events = [AgentEvent(kind, commit.author, detail, commit.at, about)]
    for index, name in enumerate(dict.fromkeys(_CO_AUTHOR.findall(commit.body))):
        if name != commit.author:
            shared = {**about, "id": f"git:{commit.sha}+{index}"}
            events.append(AgentEvent(K.COLLABORATION, name, f"with {commit.author}: {subject}", commit.at, shared))
    return events


def _undone(subject: str, sha: str, known_tasks: dict[str, tuple[str, str]]) -> tuple[str, str]:
    """What a commit that was taken back was about, and whose it was. One about nothing else is about itself."""
    task, author = known_tasks.get(sha) or known_tasks.get(subject) or ("", "")
    return task or _topic(subject) or (f"“{subject[:60]}”" if subject else ""), author


def _topic(subject: str) -> str:
    """What a subject says it is about before it says what it does: `scope: ...`, `[scope] ...`, `fix(scope): ...`."""
    found = _SCOPED.match(subject)
    if not found:
        return ""
    topic = next(group for group in found.groups() if group)
    return "" if topic.lower() in _TYPES else topic.strip()


def _tags(path: Path, repo: str, shas: set[str]) -> Iterator[AgentEvent]:
    form = "%(refname:short)%00%(creatordate:unix)%00%(taggername)%00%(*objectname)%00%(objectname)%00%(authorname)"
    for line in _git(path, "for-each-ref", "refs/tags", f"--format={form}").splitlines():
        name, at, tagger, peeled, own, author = line.split("\0")
        if (peeled or own) in shas and at.isdigit():
            about = known(id=f"git:tag:{name}", source=SOURCE, repo=repo, sha=peeled or own, tag=name, task=name)
            yield AgentEvent(K.MILESTONE, tagger or author or repo, f"tagged {name}", float(at), about)


def _git(path: Path, *arguments: str) -> str:
    command = [
        "git",
        "-C",
        str(path),
        "--no-pager",
        "-c",
        "core.quotepath=off",
        "-c",
        "i18n.logOutputEncoding=utf-8",
        *arguments,
    ]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        raise Unavailable("git is not installed.", "Install git, or give a JSONL log instead.") from None
    said = done.stderr.decode(errors="replace").strip()
    if done.returncode and "does not have any commits yet" not in said:
        raise BadInput(
            f"git cannot read {path}: {said.splitlines()[-1] if said else 'no reason given'}.",
            "Give the path of a git repository.",
        )
    return done.stdout.decode(errors="replace")
