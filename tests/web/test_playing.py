"""A first evening over the API: make a world, act, watch it being told, look around, go back."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx

from talekeeper.app.engine import Engine
from talekeeper.doors.common import lookout
from talekeeper.loops.creation import create_empty
from talekeeper.loops.intents import Direct, Fork
from talekeeper.loops.scene import commands, travel

WORLD = "low-water"


def assert_whole(frames: list[dict[str, Any]]) -> None:
    """Whoever is behind gets chunks in one piece; together they are always the whole text."""
    told: dict[str, str] = {}
    for frame in frames:
        if frame["type"] == "tag_chunk":
            told[frame["tag_id"]] = told.get(frame["tag_id"], "") + frame["text"]
        elif frame["type"] == "tag_close":
            assert told.get(frame["tag_id"], "") == frame["text"]


async def act(api: httpx.AsyncClient, server: Any, until: Any, text: str) -> list[dict[str, Any]]:
    accepted = await api.post(f"worlds/{WORLD}/act", json={"text": text})
    assert accepted.status_code == 202, accepted.text
    async with server.live(query=f"turn={accepted.json()['turn'].replace('#', '%23')}") as watching:
        return await until(watching, "turn_ended")


async def test_a_world_is_made_from_a_preset_and_played(serve: Any, until: Any) -> None:
    server = serve(world=False)
    async with httpx.AsyncClient(base_url=f"{server.api}/") as api:
        preset = (await api.get("presets")).json()[0]
        made = await api.post("worlds", json={"preset": preset["id"], "seed": 7})
        assert made.status_code == 201, made.text
        world = made.json()
        assert world["seat"]["role"] == "owner"
        assert world["suggestions"] == preset["suggestions"]
        slug = world["slug"]
        told = (await api.get(f"worlds/{slug}/turns")).json()
        assert told[0]["passages"][-1]["kind"] == "narration.told", "the opening"
        async with server.live(slug) as watching:
            accepted = await api.post(f"worlds/{slug}/line", json={"text": "look around"})
            assert accepted.json()["kind"] == "turn"
            frames = await until(watching, "turn_ended")
    types = [frame["type"] for frame in frames]
    assert types[0] == "hello"
    assert types.index("turn_started") < types.index("tag_chunk") < types.index("snapshot")
    seqs = [frame["seq"] for frame in frames if "seq" in frame]
    assert seqs == sorted(set(seqs)), "in order, each once"
    assert_whole(frames)


async def test_a_turn_that_has_just_ended_can_still_be_watched(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    first = await act(api, server, until, "look around")
    again = await act(api, server, until, "wait")
    assert first[-1]["state"] == again[-1]["state"] == "done"
    async with server.live(query="turn=t1%231&from_seq=3") as late:
        frames = [f for f in await until(late, "turn_ended") if "seq" in f]
    assert frames[0]["seq"] >= 3
    assert [f["seq"] for f in frames] == sorted({f["seq"] for f in frames})


async def test_reading_along(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    await act(api, server, until, "look around")
    await act(api, server, until, "search the room")
    at = f"worlds/{WORLD}"
    world = (await api.get(at)).json()
    assert world["turn_number"] == 2
    turns = (await api.get(f"{at}/turns")).json()
    assert [t["number"] for t in turns if t["turn"]] == [1, 2]
    assert turns[-1]["roll"]["difficulty"] > 0
    older = (await api.get(f"{at}/turns", params={"before": 2})).json()
    assert [t["number"] for t in older if t["turn"]] == [1]
    why = (await api.get(f"{at}/turns/2/why")).json()
    assert why["used"] <= why["budget"]
    people = (await api.get(f"{at}/people")).json()
    assert any(p["present"] and p["remembers"] for p in people)
    for part in ("clocks", "threads", "calendar", "recap", "entities", "timelines", "proposals"):
        answered = await api.get(f"{at}/{part}")
        assert answered.status_code == 200, answered.text
    someone = people[0]["id"]
    page = (await api.get(f"{at}/entities/{someone}", params={"as_of": 1})).json()
    assert page["name"] == people[0]["name"]
    for part in (f"knowledge/{someone}", "directives", "chronicle", "audit"):
        answered = await api.get(f"{at}/{part}")
        assert answered.status_code == 200, answered.text
    remembered = (await api.get(f"{at}/memories/{someone}", params={"about": "look"})).json()
    assert isinstance(remembered, list)


async def test_back_to_here_and_on_another_timeline(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    at = f"worlds/{WORLD}"
    await act(api, server, until, "look around")
    await act(api, server, until, "wait")
    async with server.live() as watching:
        await until(watching, "presence")
        back = (await api.post(f"{at}/backtrack", json={"to": 1})).json()
        moved = (await until(watching, "moved"))[-1]
    assert back == {"kind": "arrived", "timeline": "t2", "turn_number": 1}
    assert (moved["timeline"], moved["turn_number"]) == ("t2", 1)
    tree = (await api.get(f"{at}/timelines")).json()
    assert [(t["id"], t["parent"], t["fork_turn"], t["turns"], t["active"]) for t in tree] == [
        ("t1", None, 0, 2, False),
        ("t2", "t1", 1, 1, True),
    ]
    forked = (await api.post(f"{at}/fork", json={"at": 0, "name": "from the start"})).json()
    assert forked["turn_number"] == 0
    assert (await api.post(f"{at}/switch", json={"timeline": "t1"})).json()["turn_number"] == 2


async def test_two_timelines_side_by_side(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    at = f"worlds/{WORLD}"
    await act(api, server, until, "look around")
    await act(api, server, until, "go out")
    await api.post(f"{at}/backtrack", json={"to": 1})
    await act(api, server, until, "wait")
    side_by_side = (await api.get(f"{at}/compare", params={"a": "t1", "b": "t2"})).json()
    assert side_by_side["shared_turn"] == 1
    assert [turn["number"] for turn in side_by_side["a"]["turns"]] == [2]
    assert [turn["passages"][0]["text"] for turn in side_by_side["b"]["turns"]] == ["wait"]
    moved = [d for d in side_by_side["differences"] if d["pred"] == "at" and d["subj"].startswith("person/")]
    assert moved, "on one of them somebody left the room"
    same = (await api.get(f"{at}/compare", params={"a": "t1", "b": "t1"})).json()
    assert same["differences"] == []


async def test_lines_are_what_a_terminal_takes(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    await act(api, server, until, "look around")

    async def line(text: str) -> Any:
        answered = await api.post(f"worlds/{WORLD}/line", json={"text": text})
        assert answered.status_code == 200, answered.text
        return answered.json()

    assert (await line("/help"))["rows"][0][0].startswith("/backtrack")
    assert (await line("/why"))["what"] == "why"
    assert (await line("/roll 2d6"))["kind"] == "rolled"
    assert (await line("/fork elsewhere"))["kind"] == "arrived"
    assert (await line("/directive more rain"))["kind"] == "done"
    refused = await api.post(f"worlds/{WORLD}/line", json={"text": "/nonsense"})
    assert refused.status_code == 422
    assert refused.json()["error"]["hint"] == "Type /help for the list."


async def test_what_kind_of_world_it_is(server: Any, api: httpx.AsyncClient) -> None:
    def keep(conn: Any) -> None:
        for slug in ("channel-hearth", "our-fleet"):
            create_empty(conn, server.engine.services, slug, seed=1)

    await asyncio.to_thread(server.engine.store.write_now, keep)
    kinds = {world["slug"]: world["kind"] for world in (await api.get("worlds")).json()}
    assert kinds == {WORLD: "story", "channel-hearth": "channel", "our-fleet": "record"}


async def test_a_world_goes_out_and_comes_in_again(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    await act(api, server, until, "look around")
    file = await api.get(f"worlds/{WORLD}/export")
    assert file.headers["content-disposition"] == f'attachment; filename="{WORLD}.jsonl"'
    back = await api.post("worlds/import", params={"name": "again"}, content=file.content)
    assert back.status_code == 201, back.text
    assert back.json()["turn_number"] == 1
    assert {w["slug"] for w in (await api.get("worlds")).json()} == {WORLD, "again"}
    assert (await api.delete("worlds/again")).status_code == 204
    assert (await api.get("worlds/again")).status_code == 404


async def test_server_sent_events_tell_the_same_turn(server: Any, api: httpx.AsyncClient) -> None:
    accepted = (await api.post(f"worlds/{WORLD}/act", json={"text": "look around"})).json()
    heard = await api.get(accepted["stream"].removeprefix("/api/v1/"))
    assert heard.headers["content-type"].startswith("text/event-stream")
    events = heard.text.strip().split("\n\n")
    assert events[0].startswith("id: 1.0\ndata: ")
    assert '"turn_ended"' in events[-1]


async def test_the_same_key_gives_the_first_turn(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    action = {"text": "wait", "idem": "once"}
    first = (await api.post(f"worlds/{WORLD}/act", json=action)).json()
    async with server.live(query="turn=t1%231") as watching:
        await until(watching, "turn_ended")
    again = (await api.post(f"worlds/{WORLD}/act", json=action)).json()
    assert again == first
    assert (await api.get(f"worlds/{WORLD}")).json()["turn_number"] == 1


async def test_the_world_as_a_book(server: Any, api: httpx.AsyncClient, until: Any) -> None:
    await act(api, server, until, "look around")
    book = (await api.get(f"worlds/{WORLD}/chronicle")).json()
    paragraphs = [
        sentence for chapter in book["chapters"] for paragraph in chapter["paragraphs"] for sentence in paragraph
    ]
    assert any(sentence["text"].endswith("look around") for sentence in paragraphs)
    assert all(sentence["ids"] for sentence in paragraphs), "every sentence knows its events"
    for form, begins in (("md", b"# "), ("html", b"<!"), ("epub", b"PK"), ("atom", b"<?xml"), ("json", b"{")):
        file = await api.get(f"worlds/{WORLD}/chronicle.{form}")
        assert file.status_code == 200, file.text
        assert file.content.startswith(begins)
        assert file.headers["content-disposition"].endswith(f'{WORLD}.{form}"')
    assert (await api.get(f"worlds/{WORLD}/chronicle.exe")).status_code == 422


async def test_what_the_table_asked_of_the_narrator(server: Any, api: httpx.AsyncClient) -> None:
    at = f"worlds/{WORLD}/directives"
    assert (await api.post(at, json={"text": "more rain"})).json()["kind"] == "done"
    (given,) = (await api.get(at)).json()
    assert given["text"] == "more rain"
    assert (await api.delete(f"{at}/{given['event']}")).status_code == 200
    assert (await api.get(at)).json() == []


async def test_lines_and_veils(server: Any, api: httpx.AsyncClient) -> None:
    at = f"worlds/{WORLD}/boundaries"
    assert (await api.post(at, json={"text": "spiders"})).json()["message"] == "It is drawn. The story keeps to it."
    assert (await api.post(at, json={"text": "needles", "veiled": True})).status_code == 200
    given = (await api.get(f"worlds/{WORLD}/directives")).json()
    assert [(one["source"], one["text"].rpartition(" ")[2]) for one in given] == [
        ("safety", "spiders"),
        ("safety", "needles"),
    ]
    for wrong in ({"text": ""}, {"text": "x" * 501}, {}):
        assert (await api.post(at, json=wrong)).status_code == 422


async def test_what_is_done_in_another_process_is_noticed(server: Any, until: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(lookout, "EVERY_SECONDS", 0.05)
    terminal = Engine.open(server.engine.settings)
    try:
        async with server.live() as watching:
            await until(watching, "presence")
            seen = server.app.state.audience
            async with asyncio.timeout(20):
                while seen._hall(WORLD).stands is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            await terminal.command(commands.give_directive, Direct(world=WORLD, text="more rain"))
            assert (await until(watching, "changed"))[-1]["head"] > 0
            await terminal.command(travel.fork_timeline, Fork(world=WORLD))
            assert (await until(watching, "moved"))[-1]["timeline"] == "t2"
    finally:
        await terminal.close()
