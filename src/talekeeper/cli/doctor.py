"""`talekeeper doctor`: what this Talekeeper runs on, what is wrong with it, and how to mend that."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import typer
from rich.table import Table
from rich.text import Text
from sqlalchemy import Connection

from talekeeper import __version__
from talekeeper.app.models import STORYTELLER, provider_of
from talekeeper.app.settings import Loaded, Settings, default_home, load, names_of
from talekeeper.cli.console import (
    BAD,
    EMBER,
    FOUND_TROUBLE,
    GOOD,
    clean,
    progress,
    say,
    show,
    show_json,
    show_table,
)
from talekeeper.cli.model_check import Answer, check_model
from talekeeper.cli.opening import JsonOption
from talekeeper.cli.settings import setting_rows, without_password
from talekeeper.errors import TalekeeperError
from talekeeper.timeline.outbox import list_jobs
from talekeeper.timeline.store import Store
from talekeeper.timeline.store.metadata import REVISION
from talekeeper.timeline.store.postgres import open_postgres
from talekeeper.timeline.store.schema import stored_revision
from talekeeper.timeline.store.sqlite import open_sqlite
from talekeeper.timeline.worlds import list_worlds

State = Literal["ok", "warning", "broken"]

_LITTLE_SPACE, _NO_SPACE = 500 << 20, 20 << 20
_CONNECT_SECONDS = 5
_UNSUPPORTED = {"QDRANT_URL": "Vectors are kept beside the rows they belong to."}


class Finding(msgspec.Struct, frozen=True):
    about: str
    state: State
    says: str
    mend: str = ""


def doctor(
    offline: Annotated[bool, typer.Option("--offline", help="Do not ask the model's service.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Look for what is wrong and say how to mend it.

    Exit code 1 if anything is broken. Secrets are not shown.

    Example: talekeeper doctor --json
    """
    loaded: Loaded | None = None
    found = list(_ground())
    try:
        loaded = load()
        found += _examine(loaded, offline=offline)
    except TalekeeperError as error:
        found.append(Finding("settings", "broken", error.message, error.hint))
        found.append(_home(Path(os.environ.get(names_of("home")[0]) or default_home())))
    _tell(found, loaded, as_json=as_json)
    if any(finding.state == "broken" for finding in found):
        raise typer.Exit(FOUND_TROUBLE)


def _tell(found: list[Finding], loaded: Loaded | None, *, as_json: bool) -> None:
    rows = setting_rows(loaded) if loaded else []
    if as_json:
        settings = [{"name": name, "value": value, "source": source} for name, value, source in rows]
        show_json({"ok": all(f.state != "broken" for f in found), "findings": found, "settings": settings})
        return
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    styles = {"ok": GOOD, "warning": EMBER, "broken": BAD}
    for finding in found:
        said = Text(clean(finding.says))
        if finding.mend and finding.state != "ok":
            said.append(f"\n{clean(finding.mend)}", style="italic")
        table.add_row(Text(finding.about), Text(finding.state, style=styles[finding.state]), said)
    show(table)
    if rows:
        say("")
        show_table(("setting", "value", "from"), rows)


def _ground() -> Iterator[Finding]:
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("talekeeper", "ok", f"{__version__} on Python {version}, {sys.platform}")
    yield Finding(
        "extras", "ok", "; ".join(f"{name} {'installed' if there else 'not installed'}" for name, there in _extras())
    )


def _extras() -> Iterator[tuple[str, bool]]:
    """As the installed package declares them."""
    needs: dict[str, list[str]] = {}
    for requirement in metadata.requires("talekeeper") or ():
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", requirement)
        name = re.match(r"[\w.-]+", requirement)
        if extra and name and name[0] != "talekeeper":
            needs.setdefault(extra[1], []).append(name[0])
    needs.pop("all", None)
    for extra_name, distributions in sorted(needs.items()):
        yield extra_name, all(_installed(name) for name in distributions)


def _installed(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _examine(loaded: Loaded, *, offline: bool) -> Iterator[Finding]:
    settings = loaded.settings
    for warning in loaded.warnings:
        yield Finding("settings", "warning", warning, "It is not read.")
    for name, instead in _UNSUPPORTED.items():
        if os.environ.get(name):
            yield Finding("settings", "warning", f"{name} is not supported. {instead}", "It is not read.")
    yield _home(settings.home)
    yield _disk(settings.home)
    yield from _database(settings)
    with progress("Asking the model's service"):
        answer: Answer = check_model(settings, offline=offline)
    yield Finding("model", answer.state, answer.says, answer.mend)
    if settings.stream_second_reader and provider_of(settings) == STORYTELLER:
        yield Finding(
            "stream", "warning", "There is no model to read lines a second time; the rules read them alone.",
            "Set a model, or TALEKEEPER_STREAM_SECOND_READER=false.",
        )  # fmt: skip


def _home(home: Path) -> Finding:
    mend = "Check its permissions, or set TALEKEEPER_HOME to a folder of yours."
    if not home.exists():
        ground = _existing(home)
        if not os.access(ground, os.W_OK | os.X_OK):
            return Finding("home", "broken", f"{home} is not there and cannot be made in {ground}.", mend)
        return Finding("home", "ok", f"{home}, made when it is needed")
    if not home.is_dir():
        return Finding("home", "broken", f"{home} is not a folder.", mend)
    try:
        with tempfile.TemporaryFile(dir=home):
            return Finding("home", "ok", str(home))
    except OSError as error:
        return Finding("home", "broken", f"{home} cannot be written: {error.strerror}.", mend)


def _existing(folder: Path) -> Path:
    return next(ancestor for ancestor in (folder, *folder.absolute().parents) if ancestor.exists())


def _disk(home: Path) -> Finding:
    free = shutil.disk_usage(_existing(home)).free
    says = f"{free / (1 << 30):.1f} GiB free"
    state: State = "broken" if free < _NO_SPACE else "warning" if free < _LITTLE_SPACE else "ok"
    return Finding("disk", state, says, "Free some space; a full disk loses nothing, but nothing more is written.")


def _database(settings: Settings) -> Iterator[Finding]:
    url = settings.store_database_url
    where = without_password(url.get_secret_value()) if url else str(settings.database)
    if url is None and not settings.database.exists():
        yield Finding("database", "ok", f"{where}, made when it is needed")
        return
    try:
        store = _open(settings)
        try:
            yield from store.read_now(lambda conn: _contents(conn, where))
        finally:
            store.close()
    except TalekeeperError as error:
        yield Finding("database", "broken", f"{where}: {error.message}", error.hint)


def _open(settings: Settings) -> Store:
    """To look only: nothing is made and nothing is migrated."""
    if settings.store_database_url is None:
        return open_sqlite(settings.database, synchronous=settings.store_synchronous)
    address = settings.store_database_url.get_secret_value()
    patience = (
        "" if "connect_timeout" in address else f"{'&' if '?' in address else '?'}connect_timeout={_CONNECT_SECONDS}"
    )
    return open_postgres(address + patience)


def _contents(conn: Connection, where: str) -> list[Finding]:
    revision = stored_revision(conn)
    if revision is None:
        return [Finding("database", "ok", f"{where}, empty; its tables are made when they are needed")]
    if revision > REVISION:
        mend = "Upgrade Talekeeper, or set TALEKEEPER_HOME to another folder."
        return [Finding("database", "broken", f"{where} was written by a newer Talekeeper (schema {revision}).", mend)]
    if revision != REVISION:
        return [Finding("database", "ok", f"{where}, schema {revision}; brought to {REVISION} at the next start")]
    found = [Finding("database", "ok", f"{where}, schema {revision}, {len(list_worlds(conn))} worlds")]
    parked = len(list_jobs(conn, ("parked",)))
    if parked:
        found.append(Finding("effects", "warning", f"{parked} given up", "See `talekeeper effects list`."))
    return found
