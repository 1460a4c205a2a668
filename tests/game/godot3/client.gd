# A small client of the game door for Godot 3 (godot3-server). It plays the scenarios in order and exits with 0 when all
# of them went as they should. Lines that begin with "TK " are for the test that runs it.
extends SceneTree

const PATIENCE := 60.0

var url := "ws://127.0.0.1:8000/ws"
var socket: WebSocketClient
var connected := false
var inbox := []
var started := {}
var specs := {
	"mara": {"name": "Mara", "role": "innkeeper", "knowledge": ["The north road is closed since the flood."]},
	"tom": {"name": "Tom", "role": "smith", "knowledge": ["The bridge could be mended in a week."]},
}
var extra := {}
var events := 0
var waited := 0.0
var steps := [
	"connect", "two_agents", "interrupt", "tool_call", "big_snapshot", "restart", "resume"
]
var step := -1
var memo := {}


func _init() -> void:
	for argument in OS.get_cmdline_args():
		if argument.begins_with("--url="):
			url = argument.substr(6)
	open_socket()
	next_step()


func open_socket() -> void:
	connected = false
	socket = WebSocketClient.new()
	socket.set_buffers(64, 256, 64, 256)
	var _a = socket.connect("connection_established", self, "_on_connected")
	var _b = socket.connect("data_received", self, "_on_data")
	var _c = socket.connect("connection_closed", self, "_on_closed")
	var _d = socket.connect("connection_error", self, "_on_error")
	if socket.connect_to_url(url) != OK:
		fail("cannot begin to connect")


func _idle(delta: float) -> bool:
	socket.poll()
	waited += delta
	if waited > PATIENCE:
		fail("nothing came in %s, the last messages were %s" % [steps[step], inbox])
	if step < steps.size() and call("_check_" + steps[step]):
		print("TK done ", steps[step])
		next_step()
	return false


func next_step() -> void:
	step += 1
	waited = 0.0
	inbox = []
	memo = {}
	extra = {}
	if step == steps.size():
		print("TK all done")
		quit(0)
		return
	if has_method("_begin_" + steps[step]):
		call("_begin_" + steps[step])


func fail(why: String) -> void:
	print("TK failed ", steps[step], ": ", why)
	quit(1)


# The line


func _on_connected(_protocol: String) -> void:
	socket.get_peer(1).set_write_mode(WebSocketPeer.WRITE_MODE_TEXT)
	connected = true


func _on_closed(_clean: bool) -> void:
	connected = false


func _on_error() -> void:
	connected = false


func _on_data() -> void:
	var text := socket.get_peer(1).get_packet().get_string_from_utf8()
	var parsed := JSON.parse(text)
	if parsed.error != OK:
		fail("this is not JSON: " + text)
		return
	var message: Dictionary = parsed.result
	if message.type == "get_agent_state":
		answer_state(message)
	inbox.append(message)


func send(message: Dictionary) -> void:
	if socket.get_peer(1).put_packet(JSON.print(message).to_utf8()) != OK:
		fail("could not send " + message.type)


func answer_state(asked: Dictionary) -> void:
	var snapshot := {
		"type": "agent_state_snapshot",
		"request_id": asked.request_id,
		"agent_id": asked.agent_id,
		"revision": 1,
		"spec": specs[asked.agent_id],
		"state": {"mood": "busy", "health": 10, "location": "tavern"},
		"limits": {"max_output_tokens": 200, "max_tags": 8},
	}
	for key in extra:
		snapshot[key] = extra[key]
	send(snapshot)


func say(agent: String, text: String, interrupt := "always") -> String:
	events += 1
	var id := "e%d" % events
	send({
		"type": "interaction_event",
		"event_id": id,
		"agent_id": agent,
		"interrupt": interrupt,
		"event": {
			"kind": "player_said",
			"text": text,
			"source": {"id": "ana", "name": "Ana", "kind": "player"},
		},
	})
	return id


func report(turn_id: String, agent: String, status: String, cut := -1) -> void:
	var segments := []
	for message in inbox:
		if message.type == "agent_tag_close" and message.turn_id == turn_id:
			var segment := {
				"tag_id": message.tag_id, "tag": message.tag, "text": message.text, "outcome": "performed"
			}
			if cut >= 0:
				segment.outcome = "partial"
				segment.performed_chars = cut
			segments.append(segment)
	send({
		"type": "agent_turn_result", "turn_id": turn_id, "agent_id": agent, "status": status, "segments": segments
	})


func find(type: String, agent := "") -> Dictionary:
	for message in inbox:
		if message.type == type and (agent == "" or message.get("agent_id", "") == agent):
			return message
	return {}


func check_order(turn_id: String) -> void:
	var seq := 0
	var open := []
	for message in inbox:
		if message.get("turn_id", "") != turn_id or message.type == "error":
			continue
		if int(message.seq) != seq:
			fail("seq %d where %d belongs" % [int(message.seq), seq])
		seq += 1
		if message.type == "agent_tag_open":
			open.append(message.tag_id)
		elif message.type == "agent_tag_close":
			open.erase(message.tag_id)
	if open.size() > 0:
		fail("tags were left open")


# The scenarios


func _check_connect() -> bool:
	if connected and not memo.has("asked"):
		memo.asked = true
		send({"type": "ping", "id": "p1", "ts": 17})
	var pong := find("pong")
	return not pong.empty() and pong.id == "p1" and pong.ts == 17


func _begin_two_agents() -> void:
	var _a = say("mara", "What happened to the north road?")
	var _b = say("tom", "What about the bridge?")


func _check_two_agents() -> bool:
	var mara := find("agent_turn_finished", "mara")
	var tom := find("agent_turn_finished", "tom")
	if mara.empty() or tom.empty():
		return false
	check_order(mara.turn_id)
	check_order(tom.turn_id)
	report(mara.turn_id, "mara", "completed")
	report(tom.turn_id, "tom", "completed")
	return true


func _begin_interrupt() -> void:
	var _a = say("mara", "Tell me about the north road again")


func _check_interrupt() -> bool:
	var chunk := find("agent_tag_chunk", "mara")
	if not chunk.empty() and not memo.has("cut"):
		memo.cut = chunk.turn_id
		memo.event = say("mara", "Stop, I have heard enough")
	var interrupted := find("agent_turn_interrupted", "mara")
	var finished := find("agent_turn_finished", "mara")
	if interrupted.empty() or finished.empty():
		return false
	if interrupted.turn_id != memo.cut or interrupted.reason != "superseded" or interrupted.by_event_id != memo.event:
		fail("the wrong turn was interrupted: %s" % interrupted)
	if interrupted.open_tag_ids.size() != 1:
		fail("it was not in the middle of a tag: %s" % interrupted)
	check_order(memo.cut)
	report(memo.cut, "mara", "interrupted", 3)
	report(finished.turn_id, "mara", "completed")
	return true


func _begin_tool_call() -> void:
	extra = {
		"tools": [{
			"name": "check_stock",
			"description": "How much of something is in the cellar",
			"parameters": {"type": "object", "properties": {"item": {"type": "string"}}},
		}]
	}
	var _a = say("mara", "Please check the stock of ale")


func _check_tool_call() -> bool:
	for message in inbox:
		if message.type == "agent_turn_finished" and message.stop_reason == "tool_use" and not memo.has("called"):
			memo.called = true
			var call: Dictionary = message.tool_calls[0]
			if call.name != "check_stock" or call.arguments.item != "ale":
				fail("the wrong call: %s" % call)
			report(message.turn_id, "mara", "completed")
			send({
				"type": "tool_results",
				"turn_id": message.turn_id,
				"agent_id": "mara",
				"results": [{"call_id": call.call_id, "name": call.name, "ok": true, "content": "seven casks"}],
			})
		elif message.type == "agent_turn_started" and message.trigger == "tool_results":
			memo.went_on = message.turn_id
		elif message.type == "agent_turn_finished" and message.turn_id == memo.get("went_on", ""):
			var told := ""
			for close in inbox:
				if close.type == "agent_tag_close" and close.turn_id == memo.went_on:
					told += close.text
			if not "even casks" in told:
				fail("the result is not in the answer: " + told)
			return true
	return false


func _begin_big_snapshot() -> void:
	var lore := "The lore of the house. "
	while lore.length() < 60 * 1024 - 900:
		lore += lore.substr(0, 60 * 1024 - 900 - lore.length())
	extra = {"prompt_parts": [{"id": "lore", "role": "system", "text": lore, "priority": 1}]}
	var _a = say("tom", "Hello again")


func _check_big_snapshot() -> bool:
	return not find("agent_turn_finished", "tom").empty()


func _begin_restart() -> void:
	print("TK restart now")


func _check_restart() -> bool:
	if not memo.has("lost"):
		if not connected:
			memo.lost = true
		return false
	if connected:
		return true
	memo.wait = memo.get("wait", 0.0) + 0.016
	if memo.wait > 0.3:
		memo.wait = 0.0
		open_socket()
	return false


func _begin_resume() -> void:
	var _a = say("mara", "Hello, it is me again")


func _check_resume() -> bool:
	var finished := find("agent_turn_finished", "mara")
	if finished.empty():
		return false
	var told := ""
	for close in inbox:
		if close.type == "agent_tag_close":
			told += close.text + " "
	print("TK told ", told)
	return true
