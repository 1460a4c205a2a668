"""What goes wrong with databases, and what a person is told about it."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from talekeeper.app.engine import open_store
from talekeeper.errors import BadInput, Damaged, NewerDatabase, StoreDown, TalekeeperError
from talekeeper.testing.house import House, settings_for
from talekeeper.testing.scribe import Scribe, texts
from talekeeper.timeline.events import read_events
from talekeeper.timeline.lineage import path
from talekeeper.timeline.store import Store
from talekeeper.timeline.worlds import list_worlds


def test_a_database_from_a_newer_version_is_refused_and_not_touched(house: House) -> None:
    settings = house.settings(world=False)
    store = open_store(settings)
    Scribe(store).say("a")
    store.write_now(lambda c: c.execute(text("update alembic_version set version_num = '9999'")))
    store.close()
    with pytest.raises(NewerDatabase, match="schema 9999"):
        open_store(settings)


def test_a_database_of_an_older_version_opens_again_and_again(sqlite_house: House) -> None:
    settings = sqlite_house.settings(world=False)
    for _ in range(2):
        store = open_store(settings)
        assert store.read_now(list_worlds) == []
        store.close()


def test_a_home_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreDown, match="cannot be made"):
        open_store(settings_for(tmp_path / "file" / "home"))


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    (tmp_path / "talekeeper.db").write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(Damaged, match="not a Talekeeper database"):
        open_store(settings_for(tmp_path))


def test_an_address_that_is_not_postgres(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not a Postgres address"):
        open_store(settings_for(tmp_path, "mysql://somewhere/else"))


@pytest.mark.postgres
def test_a_postgres_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreDown):
        open_store(settings_for(tmp_path, f"postgresql://postgres@/none?host={tmp_path}"))


def test_a_full_disk_loses_nothing_and_says_so(sqlite_house: House) -> None:
    settings = sqlite_house.settings(world=False)
    store = open_store(settings)
    scribe = Scribe(store)
    scribe.say("kept")
    store.write_now(lambda c: c.execute(text(f"pragma max_page_count = {_pages(settings.database) + 4}")))
    with pytest.raises(StoreDown, match="disk is full"):
        _fill(scribe)
    told = texts(scribe.events())
    assert told[0] == "kept"
    assert [e.seq for e in scribe.events()] == list(range(1, len(told) + 1)), "nothing half-written"
    store.write_now(lambda c: c.execute(text("pragma max_page_count = 1000000")))
    scribe.say("room again")
    assert texts(scribe.events()) == [*told, "room again"]
    store.close()


def _fill(scribe: Scribe) -> None:
    for _ in range(50):
        scribe.say("x" * 5000)


def _pages(database: Path) -> int:
    with sqlite3.connect(database) as connection:
        pages: int = connection.execute("pragma page_count").fetchone()[0]
    connection.close()
    return pages


def test_a_read_only_home(sqlite_house: House) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        shutil.copytree(sqlite_house.settings(world=False).home, home)
        Path(folder).chmod(0o755)
        (home / "talekeeper.db").chmod(0o444)
        home.chmod(0o555)
        said = _as_nobody(home)
        home.chmod(0o755)
    assert said in (
        "The data folder cannot be written.",
        "The database cannot be opened.",
        "The database is read-only.",
    )


def _as_nobody(home: Path) -> str:
    """What opening and writing says to somebody without rights: root may write anywhere, so become nobody."""
    said, saying = os.pipe()
    child = multiprocessing.get_context("fork").Process(target=_open_as_nobody, args=(home, saying))
    child.start()
    os.close(saying)
    with os.fdopen(said) as answer:
        message = answer.read()
    child.join()
    return message


def _open_as_nobody(home: Path, saying: int) -> None:
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    with os.fdopen(saying, "w") as answer:
        try:
            Scribe(open_store(settings_for(home)))
        except TalekeeperError as error:
            answer.write(error.message)


def test_a_database_held_by_somebody_else_is_waited_for(sqlite_house: House) -> None:
    settings = sqlite_house.settings(world=False)
    store = open_store(settings)
    scribe = Scribe(store)
    other = sqlite3.connect(settings.database, isolation_level=None)
    other.execute("begin immediate")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(scribe.say, "in a moment")
        assert texts(scribe.events()) == [], "readers are not held up"
        other.execute("rollback")
        assert waiting.result().seq == 1
    other.close()
    store.close()


@pytest.mark.postgres
def test_a_dropped_connection_is_told_once_and_made_again(postgres_house: House) -> None:
    store = open_store(postgres_house.settings(world=False))
    scribe = Scribe(store)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(scribe.say, map(str, range(32))))
    _hang_up(store)
    with pytest.raises(StoreDown):
        scribe.say("cut off")
    said = [str(n) for n in range(16)]
    for text_ in said:
        scribe.say(text_)
    assert texts(store.write_now(lambda c: list(read_events(c, path(c, "quay", "t1")))))[-16:] == said
    store.close()


def _hang_up(store: Store) -> None:
    others = "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    with store.engine.begin() as connection:
        connection.execute(text(f"select pg_terminate_backend(pid) from ({others}) others"))
