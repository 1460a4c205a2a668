"""The Godot 4 addon: well formed by its own linter, speaking the same protocol, and (where there is one) in a real Godot 4."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from talekeeper.doors.game.incoming import Incoming
from talekeeper.doors.game.outgoing import AnyOutgoing

PROJECT = Path(__file__).parents[2] / "clients" / "godot"
SCRIPTS = sorted(PROJECT.rglob("*.gd"))


@pytest.mark.foreign
@pytest.mark.parametrize("tool", [["gdlint"], ["gdformat", "--check"]], ids=["gdlint", "gdformat"])
def test_the_scripts_pass_gdtoolkit(tool):
    program = shutil.which(tool[0], path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if program is None:
        pytest.skip("gdtoolkit is not installed, so the Godot addon was not linted")
    done = subprocess.run([program, *tool[1:], *map(str, SCRIPTS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_addon_sends_what_the_server_knows():
    sent = {found for script in SCRIPTS for found in re.findall(r'"type": "(\w+)"', script.read_text())}
    sent |= {found for script in SCRIPTS for found in re.findall(r'\["type"\] = "(\w+)"', script.read_text())}
    assert sent == {str(kind.__struct_config__.tag) for kind in Incoming.__subclasses__()}


def test_the_npc_has_a_case_for_everything_the_server_says_about_it():
    npc = (PROJECT / "addons/talekeeper/talekeeper_npc.gd").read_text()
    cases = set(re.findall(r'^\t\t"(\w+)":$', npc, re.MULTILINE))
    told = {str(kind.__struct_config__.tag) for kind in AnyOutgoing.__args__} - {"pong"}
    assert cases == told


def test_every_file_the_project_names_is_there():
    for file in [*PROJECT.rglob("*.godot"), *PROJECT.rglob("*.tscn"), *PROJECT.rglob("*.gd"), *PROJECT.rglob("*.cfg")]:
        for named in re.findall(r'res://([\w/.]+)"', file.read_text()):
            assert (PROJECT / named).is_file(), f"{file.name} names {named}"
    plugin = (PROJECT / "addons/talekeeper/plugin.cfg").read_text()
    script = re.search(r'script="(.+)"', plugin)
    assert script is not None
    assert (PROJECT / "addons/talekeeper" / script[1]).is_file()


CHECK = """
extends Node

var done := 0


func _ready() -> void:
	get_tree().create_timer(60.0).timeout.connect(func() -> void: _end(2))
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with("--url="):
			Talekeeper.close()
			Talekeeper.url = argument.substr(6)
	var npc := TalekeeperNPC.new()
	npc.name = "Mara"
	npc.knowledge = ["The north road is closed since the flood."]
	add_child(npc)
	npc.state_requested.connect(_grow)
	npc.turn_finished.connect(_on_finished.bind(npc))
	Talekeeper.connected.connect(func() -> void: npc.hear("What of the north road?", {"id": "ana", "name": "Ana"}))
	Talekeeper.open()


func _grow(snapshot: Dictionary) -> void:
	snapshot["prompt_parts"] = [{"id": "l", "role": "system", "text": "lore ".repeat(180000), "priority": -1}]


func _on_finished(_turn: String, reason: String, _details: Dictionary, npc: TalekeeperNPC) -> void:
	done += 1
	print("TK ", reason)
	if done == 2:
		_end(0)
	else:
		npc.hear("And again?", {"id": "ana", "name": "Ana"})


func _end(code: int) -> void:
	get_tree().quit(code)
"""
SCENE = """
[gd_scene load_steps=2 format=3]

[ext_resource type="Script" path="res://check.gd" id="1"]

[node name="Check" type="Node"]
script = ExtResource("1")
"""


def godot4() -> str | None:
    for name in ("godot4", "godot"):
        program = shutil.which(name)
        if program and subprocess.run([program, "--version"], capture_output=True, text=True).stdout.startswith("4."):
            return program
    return None


@pytest.mark.foreign
async def test_a_real_godot_4_speaks_with_the_server(open_tavern, tmp_path):
    program = godot4()
    if program is None:
        pytest.skip("Godot 4 is not installed; the addon was linted, but not run")
    project = tmp_path / "project"
    shutil.copytree(PROJECT, project)
    (project / "check.gd").write_text(CHECK)
    (project / "check.tscn").write_text(SCENE)
    environment = {**os.environ, "HOME": str(tmp_path)}
    # Classes with a name are known only after one import.
    importing = [program, "--headless", "--path", str(project), "--import"]
    await asyncio.to_thread(subprocess.run, importing, env=environment, timeout=100, check=True)
    async with open_tavern() as tavern:
        running = await asyncio.create_subprocess_exec(
            program, "--headless", "--path", str(project), "res://check.tscn", "--", f"--url={tavern.address}/ws",
            env=environment, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        async with asyncio.timeout(80):
            out, _ = await running.communicate()
    assert out.decode().count("TK end") == 2, out.decode()
    assert running.returncode == 0
