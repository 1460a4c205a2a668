class_name TalekeeperNPC
extends Node
## One NPC. Say something to it, and it answers in tags that arrive as a stream.
##
## Connect the signals to what your game does with each tag, and call `report` when you have
## performed a turn; only what you report is remembered as done. While `auto_report` is on, a turn
## is reported as performed when it ends.

## The server asks how the NPC is just now. Change the dictionary; it is sent when all handlers ran.
signal state_requested(snapshot: Dictionary)
signal turn_started(turn_id: String, trigger: String)
signal tag_opened(tag_id: String, tag: String, attrs: Dictionary, parent_id: String)
signal tag_chunk(tag_id: String, tag: String, text: String)
signal tag_closed(tag_id: String, tag: String, text: String, reason: String)
signal turn_interrupted(turn_id: String, reason: String, open_tag_ids: Array)
signal turn_finished(turn_id: String, stop_reason: String, details: Dictionary)
## Answer with `answer_tool`; the NPC goes on when every call of the turn is answered.
signal tool_called(turn_id: String, call_id: String, tool: String, arguments: Variant)
signal error_received(code: String, message: String)

@export var agent_id := ""
@export var display_name := ""
@export var role := ""
@export_multiline var persona := ""
@export_multiline var backstory := ""
@export var speech_style := ""
@export var goals: PackedStringArray = []
@export var knowledge: PackedStringArray = []
@export var mood := ""
## Tags as the protocol describes them; empty means say, emote and action.
@export var tags: Array[Dictionary] = []
@export var tools: Array[Dictionary] = []
@export var limits: Dictionary = {}
## Report every turn as performed as soon as it ends. Turn it off when the player can interrupt your
## animations.
@export var auto_report := true

var _segments := {}
var _turn_id := ""
var _calls := {}


func _enter_tree() -> void:
	if agent_id == "":
		agent_id = String(name).to_snake_case()
	_link().register(self, agent_id)


func _exit_tree() -> void:
	_link().unregister(agent_id)


## Somebody speaks to the NPC. `interrupt`: always, if_idle or queue.
func hear(text: String, source: Dictionary, interrupt := "always") -> String:
	return react("player_said", source, {"text": text}, interrupt)


## Something happens to the NPC: player_did, approach, leave, gave_item, attacked, npc_said, timer
## or custom.
func react(kind: String, source: Dictionary, fields := {}, interrupt := "always") -> String:
	var event := {"kind": kind, "source": source}
	event.merge(fields)
	var message := {
		"type": "interaction_event",
		"event_id": _link().new_id(),
		"agent_id": agent_id,
		"event": event,
		"interrupt": interrupt,
	}
	_link().send(message)
	return message["event_id"]


## Something the NPC notices and does not answer.
func notice(text: String, ttl_turns := 1) -> void:
	var event := {"kind": "custom", "source": {"id": "world", "kind": "world"}, "text": text}
	var message := {
		"type": "notification_event",
		"agent_id": agent_id,
		"event": event,
		"ttl_turns": ttl_turns,
	}
	_link().send(message)


func cancel() -> void:
	_link().send({"type": "cancel_turn", "agent_id": agent_id})


## What was performed of the present turn. `performed_chars` has, by tag id, how far a text got
## that was cut short. With `turn_id`, only if that is still the present turn.
func report(status := "completed", performed_chars := {}, turn_id := "") -> void:
	if _turn_id == "" or (turn_id != "" and turn_id != _turn_id):
		return
	var segments := []
	for tag_id: String in _segments:
		var segment: Dictionary = _segments[tag_id].duplicate()
		if performed_chars.has(tag_id):
			segment["performed_chars"] = performed_chars[tag_id]
			segment["outcome"] = "partial" if performed_chars[tag_id] > 0 else "skipped"
		segments.append(segment)
	var message := {
		"type": "agent_turn_result",
		"turn_id": _turn_id,
		"agent_id": agent_id,
		"status": status,
		"segments": segments,
	}
	_link().send(message)
	_turn_id = ""


func answer_tool(turn_id: String, call_id: String, ok: bool, content: Variant) -> void:
	var calls: Dictionary = _calls.get(turn_id, {})
	if not calls.has(call_id):
		return
	calls[call_id]["result"] = {
		"call_id": call_id, "name": calls[call_id]["name"], "ok": ok, "content": content
	}
	var results := []
	for call: Dictionary in calls.values():
		if not call.has("result"):
			return
		results.append(call["result"])
	_calls.erase(turn_id)
	var message := {
		"type": "tool_results", "turn_id": turn_id, "agent_id": agent_id, "results": results
	}
	_link().send(message)


## Called by the link with every message about this NPC.
func take(message: Dictionary) -> void:
	match message["type"]:
		"get_agent_state":
			_answer_state(message)
		"agent_turn_started":
			_turn_id = message["turn_id"]
			_segments.clear()
			turn_started.emit(message["turn_id"], message["trigger"])
		"agent_tag_open":
			var attrs: Dictionary = message["attrs"]
			_segments[message["tag_id"]] = {
				"tag_id": message["tag_id"],
				"tag": message["tag"],
				"attrs": attrs,
				"text": "",
				"outcome": "performed",
			}
			var parent: Variant = message["parent_id"]
			tag_opened.emit(
				message["tag_id"], message["tag"], attrs, "" if parent == null else String(parent)
			)
		"agent_tag_chunk":
			tag_chunk.emit(message["tag_id"], message["tag"], message["text"])
		"agent_tag_close":
			_segments[message["tag_id"]]["text"] = message["text"]
			tag_closed.emit(message["tag_id"], message["tag"], message["text"], message["reason"])
		"agent_turn_interrupted":
			turn_interrupted.emit(message["turn_id"], message["reason"], message["open_tag_ids"])
			if auto_report:
				report("interrupted")
		"agent_turn_finished":
			_finish(message)
		"error":
			error_received.emit(message["code"], message["message"])


func _finish(message: Dictionary) -> void:
	var turn_id: String = message["turn_id"]
	turn_finished.emit(turn_id, message["stop_reason"], message)
	if auto_report:
		report()
	var calls: Array = message.get("tool_calls", [])
	if calls.is_empty():
		return
	_calls[turn_id] = {}
	for call: Dictionary in calls:
		_calls[turn_id][call["call_id"]] = {"name": call["name"]}
	for call: Dictionary in calls:
		tool_called.emit(turn_id, call["call_id"], call["name"], call["arguments"])


func _answer_state(asked: Dictionary) -> void:
	var snapshot := _snapshot()
	state_requested.emit(snapshot)
	snapshot["type"] = "agent_state_snapshot"
	snapshot["request_id"] = asked["request_id"]
	snapshot["agent_id"] = agent_id
	_link().send(snapshot)


func _snapshot() -> Dictionary:
	var spec := {"name": display_name if display_name != "" else String(name)}
	for field: String in ["role", "persona", "backstory", "speech_style"]:
		if get(field) != "":
			spec[field] = get(field)
	if not goals.is_empty():
		spec["goals"] = Array(goals)
	if not knowledge.is_empty():
		spec["knowledge"] = Array(knowledge)
	var snapshot := {"spec": spec, "state": {}}
	if mood != "":
		snapshot["state"]["mood"] = mood
	for field: String in ["tags", "tools", "limits"]:
		if not get(field).is_empty():
			snapshot[field] = get(field)
	return snapshot


func _link() -> Node:
	return get_tree().root.get_node("Talekeeper")
