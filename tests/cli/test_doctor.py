"""`talekeeper doctor`: every illness it knows, and what it says to do about it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest
from sqlalchemy import text, update

from talekeeper.app.engine import Engine
from talekeeper.cli import doctor
from talekeeper.testing.house import House
from talekeeper.timeline.outbox import outbox_table


def findings(said) -> dict[str, dict]:
    return {finding["about"]: finding for finding in said.json()["findings"]}


def test_a_healthy_house(run, home):
    said = run("doctor", "--json")
    assert said.code == 0
    answer = said.json()
    assert answer["ok"]
    found = findings(said)
    assert {name: f["state"] for name, f in found.items()} == dict.fromkeys(
        ("talekeeper", "extras", "home", "disk", "database", "model"), "ok"
    )
    assert f"{home}/talekeeper.db, schema 0001, 1 worlds" in found["database"]["says"]
    assert "storyteller" in found["model"]["says"]
    assert {"TALEKEEPER_HOME", "TALEKEEPER_MODEL_API_KEY"} <= {s["name"] for s in answer["settings"]}


def test_people_read_a_page_with_words_beside_the_colours(run):
    out = run("doctor", TALEKEEPER_SERVR_PORT="1").out
    assert re.search(r"^settings +warning +TALEKEEPER_SERVR_PORT is not a setting. Did you mean", out, re.MULTILINE)
    assert re.search(r"^TALEKEEPER_SERVER_PORT +8000 +default", out, re.MULTILINE)


def test_it_only_looks_and_makes_nothing(run, tmp_path):
    said = run("doctor", "--json", TALEKEEPER_HOME=str(tmp_path / "new"))
    assert said.code == 0
    assert "made when it is needed" in findings(said)["database"]["says"]
    assert not (tmp_path / "new").exists()


def test_a_home_that_is_no_folder(run, tmp_path):
    (tmp_path / "file").write_text("")
    said = run("doctor", "--json", TALEKEEPER_HOME=str(tmp_path / "file"))
    assert said.code == 1
    assert not said.json()["ok"]
    assert findings(said)["home"]["mend"].endswith("set TALEKEEPER_HOME to a folder of yours.")


def test_a_home_that_cannot_be_written(run, home, monkeypatch):
    def refuse(**_more: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(doctor.tempfile, "TemporaryFile", refuse)
    said = run("doctor", "--json")
    assert said.code == 1
    assert findings(said)["home"]["says"] == f"{home} cannot be written: Permission denied."


@pytest.mark.parametrize(("free", "state", "code"), [(1 << 20, "broken", 1), (100 << 20, "warning", 0)])
def test_a_disk_that_runs_full(run, monkeypatch, free, state, code):
    usage = doctor.shutil.disk_usage("/")._replace(free=free)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _path: usage)
    said = run("doctor", "--json")
    assert (said.code, findings(said)["disk"]["state"]) == (code, state)


def test_a_database_from_a_newer_talekeeper(run, engine: Engine):
    engine.store.write_now(lambda conn: conn.execute(text("update alembic_version set version_num = '9999'")))
    engine.store.close()
    said = run("doctor", "--json")
    assert said.code == 1
    assert "newer Talekeeper (schema 9999)" in findings(said)["database"]["says"]
    refused = run("world", "list")
    assert refused.code == 4
    assert "newer Talekeeper" in refused.err


def test_a_database_that_is_none(run, home):
    (home / "talekeeper.db").write_bytes(b"this is no database, whatever its name says" * 100)
    for file in home.glob("talekeeper.db-*"):
        file.unlink()
    said = run("doctor", "--json")
    assert said.code == 1
    assert "not a Talekeeper database" in findings(said)["database"]["says"]
    assert run("world", "list").code == 4


def test_a_postgres_that_is_not_there(run):
    address = "postgresql://me:hunter2@127.0.0.1:1/tales"
    said = run("doctor", "--json", DATABASE_URL=address)
    assert said.code == 1
    database = findings(said)["database"]
    assert database["says"].startswith("postgresql://me:***@127.0.0.1:1/tales: ")
    assert "hunter2" not in said.out + said.err
    refused = run("world", "list", DATABASE_URL=address)
    assert refused.code == 4
    assert "hunter2" not in refused.err


@pytest.mark.postgres
def test_a_postgres_that_is_there(run, postgres_house: House):
    url = postgres_house.settings().store_database_url
    assert url is not None
    said = run("doctor", "--json", DATABASE_URL=url.get_secret_value())
    assert said.code == 0
    assert "schema 0001, 1 worlds" in findings(said)["database"]["says"]


def test_effects_that_were_given_up(run, engine: Engine):
    engine.store.write_now(lambda conn: conn.execute(update(outbox_table).values(state="parked")))
    engine.store.close()
    said = run("doctor", "--json")
    assert (said.code, findings(said)["effects"]["state"]) == (0, "warning")


def test_settings_that_cannot_be_read_do_not_stop_it(run):
    said = run("doctor", "--json", PORT="many")
    assert said.code == 1
    assert "PORT is wrong" in findings(said)["settings"]["says"]
    assert findings(said)["talekeeper"]["state"] == "ok"


def test_a_store_nobody_supports_is_said_to_be_ignored(run):
    said = run("doctor", "--json", QDRANT_URL="http://127.0.0.1:6333")
    assert "QDRANT_URL is not supported" in findings(said)["settings"]["says"]


class Service(BaseHTTPRequestHandler):
    """As much of a model's service as the doctor asks for."""

    answers: ClassVar[dict[str, tuple[int, bytes, dict[str, str]]]] = {}
    asked: ClassVar[list[tuple[str, str | None]]] = []

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers["Authorization"]))
        status, body, headers = self.answers[self.path.split("/")[1]]
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_args: object) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Callable[..., str]]:
    """The address of a service that answers as told."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()

    def answer(name: str, status: int = 200, body: bytes = b"{}", **headers: str) -> str:
        Service.answers[name] = (status, body, headers)
        return f"http://127.0.0.1:{server.server_port}/{name}/v1"

    yield answer
    server.shutdown()
    thread.join()
    server.server_close()
    Service.answers.clear()
    Service.asked.clear()


def model(run, address: str, **more: str) -> tuple[int, dict]:
    said = run("doctor", "--json", LLM_BASE_URL=address, LLM_MODEL="small", **more)
    return said.code, findings(said)["model"]


def test_a_model_that_is_there(run, serve):
    code, found = model(run, serve("good", body=b'{"data": [{"id": "small"}]}'), LLM_API_KEY="sk-1")
    assert (code, found["state"]) == (0, "ok")
    assert Service.asked == [("/good/v1/models", "Bearer sk-1")]


def test_a_service_without_that_model(run, serve):
    code, found = model(run, serve("other", body=b'{"data": [{"id": "large"}]}'))
    assert (code, found["state"], found["mend"]) == (0, "warning", "It lists large. Set LLM_MODEL.")


@pytest.mark.parametrize(
    ("status", "code", "state", "words"),
    [(401, 1, "broken", "refuses the key"), (404, 0, "warning", "/v1"), (500, 0, "warning", "500")],
)
def test_a_service_that_refuses(run, serve, status, code, state, words):
    ended, found = model(run, serve("refusing", status))
    assert (ended, found["state"]) == (code, state)
    assert words in found["says"] + found["mend"]


def test_a_key_is_not_carried_elsewhere(run, serve):
    thief = serve("thief")
    _, found = model(run, serve("moved", 302, Location=f"{thief}/models"), LLM_API_KEY="sk-1")
    assert found["state"] == "warning"
    assert [path for path, _ in Service.asked] == ["/moved/v1/models"]


@pytest.mark.parametrize("body", [b"not json", b'{"data": 5}', b"[]"])
def test_a_service_that_babbles(run, serve, body):
    assert model(run, serve("babble", body=body))[0] == 0


def test_a_model_that_is_down(run):
    code, found = model(run, "http://127.0.0.1:1/v1")
    assert (code, found["state"]) == (1, "broken")
    assert "does not answer" in found["says"]
    assert model(run, "file:///etc/passwd")[0] == 1
    offline = run("doctor", "--offline", "--json", LLM_BASE_URL="http://127.0.0.1:1/v1", LLM_MODEL="small")
    assert offline.code == 0


def test_a_provider_without_an_address(run):
    said = run("doctor", "--json", LLM_PROVIDER="somebody")
    assert said.code == 1
    assert "somebody" in findings(said)["model"]["says"]


def test_the_folder_of_a_home_nobody_may_make(run, tmp_path, monkeypatch):
    monkeypatch.setattr(doctor.os, "access", lambda *_args: False)
    said = run("doctor", "--json", TALEKEEPER_HOME=str(Path(tmp_path) / "a" / "b"))
    assert said.code == 1
    assert f"cannot be made in {tmp_path}" in findings(said)["home"]["says"]


def test_a_second_reader_without_a_model(run):
    said = run("doctor", "--json", TALEKEEPER_STREAM_SECOND_READER="true")
    assert said.code == 0
    assert findings(said)["stream"]["says"].startswith("There is no model to read lines a second time")
