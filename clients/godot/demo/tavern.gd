extends Control
## The demo: three NPCs, one line to type in. Type while somebody speaks, and you cut them short;
## they remember it.

const PLAYER := {"id": "player", "name": "Ana", "kind": "player"}
const CELLAR := {"ale": 2, "cider": 1, "wine": 0}

var _current: TalekeeperNPC
## What is being typed out: which tag, the whole text so far, and how much of it is shown.
var _tag_id := ""
var _text := ""
var _shown := 0.0

@onready var _talk: RichTextLabel = %Talk
@onready var _line: LineEdit = %Line
@onready var _people: Node = %People


func _ready() -> void:
	Talekeeper.connected.connect(_say_aside.bind("The tavern is open."))
	Talekeeper.disconnected.connect(
		func(_code: int, _reason: String) -> void: _say_aside("The line broke; trying again.")
	)
	Talekeeper.refused.connect(
		func(error: Dictionary) -> void: _say_aside("Not let in: " + String(error["message"]))
	)
	for npc: TalekeeperNPC in _people.get_children():
		npc.auto_report = false
		npc.tag_opened.connect(_on_tag_opened.bind(npc))
		npc.tag_chunk.connect(_on_tag_chunk)
		npc.tag_closed.connect(_on_tag_closed)
		npc.turn_finished.connect(_on_turn_finished.bind(npc))
		npc.turn_interrupted.connect(_on_turn_interrupted.bind(npc))
		npc.tool_called.connect(_on_tool_called.bind(npc))
		npc.error_received.connect(
			func(_code: String, message: String) -> void: _say_aside(message)
		)
	_current = _people.get_child(0)
	_line.text_submitted.connect(_on_line)
	_line.grab_focus()


func _process(delta: float) -> void:
	# The stream is faster than anybody reads: what is shown is what is performed.
	if _tag_id != "" and _shown < _text.length():
		var before := int(_shown)
		_shown = minf(_shown + delta * 40.0, _text.length())
		_talk.add_text(_text.substr(before, int(_shown) - before))


func _on_line(line: String) -> void:
	_line.clear()
	var spoken_to := line.get_slice(":", 0).strip_edges().to_lower()
	for npc: TalekeeperNPC in _people.get_children():
		if ":" in line and npc.agent_id == spoken_to:
			_current = npc
			line = line.substr(line.find(":") + 1).strip_edges()
	_cut_in()
	_talk.append_text("\n[i]> ")
	_talk.add_text(line)
	_talk.append_text("[/i]")
	_current.hear(line, PLAYER)


## What was typed out until now was performed, and no more.
func _cut_in() -> void:
	if _tag_id != "" and _shown < _text.length():
		_talk.add_text(" —")
		_current.report("interrupted", {_tag_id: int(_shown)})
	_tag_id = ""


func _on_tag_opened(
	tag_id: String, tag: String, _attrs: Dictionary, _parent: String, npc: TalekeeperNPC
) -> void:
	_finish_typing()
	_tag_id = tag_id
	_text = ""
	_shown = 0.0
	_talk.append_text("\n[b]%s[/b] " % npc.display_name if tag == "say" else "\n")


func _on_tag_chunk(tag_id: String, _tag: String, text: String) -> void:
	if tag_id == _tag_id:
		_text += text


func _on_tag_closed(tag_id: String, _tag: String, text: String, reason: String) -> void:
	if tag_id == _tag_id and reason != "interrupted":
		_text = text


func _on_turn_finished(
	turn_id: String, _stop_reason: String, _details: Dictionary, npc: TalekeeperNPC
) -> void:
	while _tag_id != "" and _shown < _text.length():
		await get_tree().process_frame
	npc.report("completed", {}, turn_id)


func _on_turn_interrupted(
	turn_id: String, _reason: String, _open: Array, npc: TalekeeperNPC
) -> void:
	npc.report("interrupted", {}, turn_id)


func _on_tool_called(
	turn_id: String, call_id: String, tool: String, arguments: Variant, npc: TalekeeperNPC
) -> void:
	if tool == "check_stock" and arguments is Dictionary:
		var item := String(arguments.get("item", "")).to_lower()
		npc.answer_tool(turn_id, call_id, true, "%d casks of %s" % [CELLAR.get(item, 0), item])
	else:
		npc.answer_tool(turn_id, call_id, false, "there is no such tool")


func _finish_typing() -> void:
	if _tag_id != "" and _shown < _text.length():
		_talk.add_text(_text.substr(int(_shown)))
		_shown = _text.length()


func _say_aside(text: String) -> void:
	_talk.append_text("\n[i]")
	_talk.add_text("(%s)" % text)
	_talk.append_text("[/i]")
