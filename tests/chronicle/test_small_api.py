"""The small API: three imports, one file, and prose."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from talekeeper.chronicle import AgentEvent, ChronicleWriter, EventKind
from talekeeper.chronicle.phrases import PHRASES, WITHOUT_DETAIL


def test_the_twelve_kinds():
    assert [kind.value for kind in EventKind] == (
        "dispatch commit push pr_open pr_merge error recovery abandon collab heartbeat idle milestone".split()
    )
    assert EventKind.COLLABORATION == "collab"


def test_an_event_goes_to_a_dict_and_back_in_key_order():
    event = AgentEvent(EventKind.COMMIT, "mara", "mend the gate", 12.5, {"sha": "abc"})
    assert list(event.to_dict()) == ["kind", "agent", "detail", "timestamp", "metadata"]
    assert AgentEvent.from_dict(event.to_dict()) == event
    assert AgentEvent.from_dict({"kind": "idle", "agent": "mara"}).detail == ""


@pytest.mark.parametrize("missing", ["kind", "agent"])
def test_from_dict_needs_kind_and_agent(missing: str):
    data = {"kind": "idle", "agent": "mara"}
    del data[missing]
    with pytest.raises(KeyError):
        AgentEvent.from_dict(data)


def test_metadata_is_copied(writer: ChronicleWriter):
    mine = {"list": [1]}
    event = AgentEvent(EventKind.COMMIT, "mara", "work", 1.0, mine)
    writer.ingest(event)
    mine["later"] = [2]
    event.to_dict()["metadata"]["more"] = 3
    event.detail = "changed"
    assert event.metadata == {"list": [1]}
    assert "work" in writer.render()


def test_an_event_is_in_the_file_when_ingest_returns(writer: ChronicleWriter, make):
    writer.ingest(make("commit", detail="mend the gate"))
    assert json.loads(writer.log_path.read_text())["detail"] == "mend the gate"


def test_a_text_path_works_and_parents_are_made(tmp_path: Path, make):
    path = tmp_path / "deep" / "down" / "log.jsonl"
    writer = ChronicleWriter(str(path))
    writer.ingest(make("idle"))
    assert writer.log_path == path
    assert ChronicleWriter(path).summary()["total_events"] == 1


def test_render_of_nothing_is_one_sentence(writer: ChronicleWriter):
    assert writer.render() == "The chronicle is empty: nothing has been recorded yet."


def test_render_opens_with_the_count_and_the_range_and_ends_with_the_arc(writer: ChronicleWriter, make):
    writer.ingest(make("error", detail="tests are red"))
    writer.ingest(make("recovery", detail="tests are green"))
    opening, first, second, arc = writer.render().split("\n\n")
    assert opening == "The chronicle tells of 2 events, from 09:00 to 09:01."
    assert "tests are red" in first
    assert "tests are green" in second
    assert "struggle and recovery" in arc


def test_render_markdown_has_title_lines_rule_and_arc(writer: ChronicleWriter, make):
    writer.ingest(make("error", detail="tests are red"))
    writer.ingest(make("recovery", detail="tests are green"))
    lines = [line for line in writer.render_markdown().splitlines() if line]
    assert lines[0] == "# Chronicle — 2026-11-04"
    assert re.fullmatch(r"\*\*09:00:00\*\* — .*tests are red\..*", lines[1])
    assert lines[3] == "---"
    assert lines[4].startswith("*")
    assert lines[4].endswith("*")


def test_render_markdown_of_nothing_has_todays_date_and_one_italic_line(writer: ChronicleWriter):
    assert writer.render_markdown() == "# Chronicle — 2026-11-04\n\n*Nothing is recorded.*\n"


def test_the_title_has_the_date_of_the_newest_event_shown(writer: ChronicleWriter, make):
    writer.ingest(make("idle", at=86400.0 * 3))
    writer.ingest(make("idle", at=86400.0 * 2))
    assert writer.render_markdown().startswith("# Chronicle — 1970-01-04")
    assert "from 1970-01-03 00:00 to 1970-01-04 00:00" in writer.render()


def test_the_window_is_the_newest_and_the_summary_is_everything(writer: ChronicleWriter, make):
    for number in range(60):
        writer.ingest(make("commit", detail=f"work {number}"))
    assert "work 57." not in writer.render(max_events=2)
    assert "work 59." in writer.render(max_events=2)
    assert "work 9." not in writer.render()
    assert writer.summary()["total_events"] == 60


@pytest.mark.parametrize("width", [0, -3])
def test_a_window_without_width_shows_none(writer: ChronicleWriter, make, width: int):
    writer.ingest(make("commit", detail="work"))
    assert "work" not in writer.render(width)
    assert "work" not in writer.render_markdown(width)


def test_summary(writer: ChronicleWriter, make):
    for kind, agent in [("commit", "mara"), ("error", "odo"), ("commit", "mara")]:
        writer.ingest(make(kind, agent))
    assert writer.summary() == {
        "total_events": 3,
        "agents": {
            "mara": {"events": 2, "kinds": ["commit", "commit"]},
            "odo": {"events": 1, "kinds": ["error"]},
        },
        "kind_counts": {"commit": 2, "error": 1},
        "log_path": str(writer.log_path),
    }


def test_three_phrasings_of_each_kind_take_turns(writer: ChronicleWriter, make):
    for kind in EventKind:
        for _ in range(3):
            writer.ingest(make(kind, detail="the same"))
    sentences = [entry.split("— ", 1)[1] for entry in writer.render_markdown().splitlines() if entry.startswith("**")]
    assert len(set(sentences)) == 36
    assert all(len(set(phrases)) >= 3 for phrases in [*PHRASES.values(), *WITHOUT_DETAIL.values()])


@pytest.mark.parametrize("kind", list(EventKind))
def test_an_empty_detail_shows_the_kind_where_one_is_needed(writer: ChronicleWriter, make, kind: EventKind):
    writer.ingest(make(kind))
    sentence = writer.render().split("\n\n")[1]
    assert "mara" in sentence
    assert kind.value in sentence or kind in WITHOUT_DETAIL
    assert "()" not in sentence


def test_render_twice_is_the_same_text_and_after_a_restart(tmp_path: Path, make):
    path = tmp_path / "log.jsonl"
    writer = ChronicleWriter(path)
    for number in range(700):
        writer.ingest(make("commit", f"agent-{number % 3}", f"work {number}"))
    once, wide = writer.render(), writer.render(650)
    assert writer.render() == once
    assert ChronicleWriter(path).render() == once
    assert ChronicleWriter(path).render(650) == wide
    assert wide.endswith(once.split("\n\n", 1)[1].rsplit("\n\n", 1)[0] + "\n\n" + wide.rsplit("\n\n", 1)[1])


def test_markdown_and_html_in_names_and_details_are_escaped(writer: ChronicleWriter, make):
    writer.ingest(
        make("error", "<b>mara</b>", "<script>alert(1)</script> **bold** [x](javascript:1) `code` snake_case _it_")
    )
    writer.ingest(make("recovery", "<b>mara</b>", "*done*"))
    text = writer.render_markdown()
    assert "<script>" not in text
    assert "<b>" not in text
    assert r"\*\*bold\*\*" in text
    assert r"\[x\](javascript:1)" in text
    assert r"\`code\` snake_case \_it\_" in text
    assert r"(\*done\*)" in text.splitlines()[-1]


def test_a_detail_of_many_lines_stays_one_sentence(writer: ChronicleWriter, make):
    writer.ingest(make("commit", detail="first\n\n# second\x1b[31m\u2028third"))
    assert "first # second [31m third." in writer.render()


def test_the_order_of_names_does_not_depend_on_the_hash_seed(tmp_path: Path, make):
    path = tmp_path / "log.jsonl"
    writer = ChronicleWriter(path)
    for agent in ("zoe", "abe", "mia", "kim"):
        writer.ingest(make("collab", agent, "the bridge"))
    program = f"from talekeeper.chronicle import *; w = ChronicleWriter({str(path)!r}); print(w.render(), w.summary())"
    texts = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
    assert b"zoe, abe, mia and kim" in texts.pop()


def test_importing_the_small_api_imports_nothing_heavy():
    program = "import sys; from talekeeper.chronicle import ChronicleWriter, AgentEvent, EventKind; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True).stdout.split()
    foreign = (
        {name.split(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"__main__", "talekeeper", "orjson"}
    )
    assert {name for name in foreign if not name.startswith(("_", "sitecustomize"))} == set()
    assert "asyncio" not in loaded
    assert len(loaded) < 200
