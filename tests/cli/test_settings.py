"""`talekeeper settings`, .env.example and docs/settings.md: all made of, or checked against, the one model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from talekeeper.app.settings import Settings, load, names_of
from talekeeper.cli.settings import env_example, without_password

ROOT = Path(__file__).parents[2]


def test_the_example_in_the_repository_is_what_the_program_prints(run):
    kept = (ROOT / ".env.example").read_text(encoding="utf-8")
    assert kept == run("settings", "example").out, "run: talekeeper settings example > .env.example"


def test_the_example_says_every_setting_at_its_default(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALEKEEPER_TEST_RUN")
    defaults = load(home=tmp_path).settings
    uncommented = re.sub(r"^#(?=[A-Z])", "", env_example(), flags=re.MULTILINE)
    (tmp_path / ".env").write_text(uncommented)
    loaded = load(home=tmp_path)
    assert loaded.settings == defaults
    assert not loaded.warnings
    assert all(f"\n#{names_of(field)[0]}=" in env_example() for field in Settings.model_fields)


def test_every_setting_is_listed_with_its_source(run, tmp_path, home):
    (tmp_path / ".env").write_text("PORT=1234\n")
    (home / "talekeeper.toml").write_text("[server]\nhost = '0.0.0.0'\n[play]\ncontext_tokens = 900\n")
    rows = {row["name"]: row for row in run("settings", "list", "--json", LOG_LEVEL="debug").json()}
    assert rows["TALEKEEPER_SERVER_PORT"] == {
        "name": "TALEKEEPER_SERVER_PORT", "value": "1234", "source": ".env: PORT",
    }  # fmt: skip
    assert rows["TALEKEEPER_SERVER_HOST"]["source"] == "talekeeper.toml"
    assert rows["TALEKEEPER_PLAY_CONTEXT_TOKENS"]["value"] == "900"
    assert rows["TALEKEEPER_SERVER_LOG_LEVEL"]["source"] == "environment: LOG_LEVEL"
    assert rows["TALEKEEPER_MODEL_TIMEOUT"]["source"] == "default"
    assert rows["TALEKEEPER_HOME"]["value"] == str(home)
    assert len(rows) == len(Settings.model_fields)


def test_secrets_are_never_shown(run):
    secrets = {
        "OPENAI_API_KEY": "sk-very-secret", "DATABASE_URL": "postgresql://me:hunter2@db.example/tales?password=hunter3",
        "LLM_BASE_URL": "https://bob:hunter4@llm.example/v1?key=hunter5",
    }  # fmt: skip
    for args in (("settings", "list"), ("settings", "list", "--json"), ("doctor", "--offline", "--json")):
        said = run(*args, **secrets)
        assert not re.search(r"hunter|very-secret", said.out + said.err)
        assert "postgresql://me:***@db.example/tales" in said.out


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("postgresql://u:p@h:5432/db", "postgresql://u:***@h:5432/db"),
        ("postgresql://u@h/db?sslmode=require", "postgresql://u@h/db"),
        ("http://h:port/", "(hidden)"),
        ("plain", "plain"),
    ],
)
def test_an_address_without_its_password(address, shown):
    assert without_password(address) == shown


def test_a_misspelt_setting_is_named_with_the_nearest_one(run):
    said = run("settings", "list", TALEKEEPER_SERVR_PORT="1")
    assert "Did you mean TALEKEEPER_SERVER_PORT?" in said.err
    assert "Did you mean TALEKEEPER_SERVER_PORT?" in run("world", "list", TALEKEEPER_SERVR_PORT="1").err


@pytest.mark.parametrize("value", ["-1", "70000", "many"])
def test_a_setting_that_cannot_be_is_bad_input(run, value):
    said = run("world", "list", PORT=value)
    assert said.code == 2
    assert "PORT is wrong" in said.err


def test_a_settings_file_that_does_not_read(run, home):
    (home / "talekeeper.toml").write_text("[server\n")
    said = run("world", "list")
    assert said.code == 2
    assert "talekeeper.toml does not read" in said.err


def test_the_settings_page_names_only_settings_that_are_there():
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    names = {name for field in Settings.model_fields for name in names_of(field)}
    told = set(re.findall(r"`((?:TALEKEEPER|LLM|OPENAI)_[A-Z_]+)`", page))
    assert told - names == set()
    assert {"TALEKEEPER_HOME", "LLM_PROVIDER", "LLM_BASE_URL", "LLM_API_KEY", "LLM_MODEL"} <= told
