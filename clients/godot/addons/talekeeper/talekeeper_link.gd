extends Node
## The link to a Talekeeper server: one socket for the whole game, the autoload `Talekeeper`.
##
## It polls while the game is paused, comes back with growing pauses when the line breaks, and
## notices when the line is dead without saying so. NPCs are nodes of the class TalekeeperNPC; they
## find this link by themselves.

signal connected
signal disconnected(code: int, reason: String)
## The server does not want this game (a wrong token, a message too large). It is not tried again.
signal refused(error: Dictionary)
signal message_received(message: Dictionary)
signal error_received(error: Dictionary)

const MAX_BYTES := 1 << 20
const FIRST_PAUSE := 0.5
const LONGEST_PAUSE := 15.0
const PING_EVERY := 10.0
const DEAD_AFTER := 30.0

## Where the game door is. Set it, and the token, before the first frame, or call `open` yourself.
@export var url := "ws://127.0.0.1:8000/ws"
## From `talekeeper game token new`. On the same machine none is needed.
@export var token := ""
@export var connect_on_start := true

var _socket: WebSocketPeer = null
var _was_open := false
var _wanted := false
var _pause := FIRST_PAUSE
var _until_retry := 0.0
var _quiet := 0.0
var _since_ping := 0.0
var _npcs := {}
var _unsent: Array[Dictionary] = []
var _next_id := 0
var _session := "%08x" % randi()


func _init() -> void:
	# A paused game still has to answer, or the server thinks it is gone.
	process_mode = Node.PROCESS_MODE_ALWAYS


func _ready() -> void:
	if connect_on_start:
		open()


func _process(delta: float) -> void:
	if _socket == null:
		if _wanted:
			_until_retry -= delta
			if _until_retry <= 0.0:
				_dial()
		return
	_socket.poll()
	match _socket.get_ready_state():
		WebSocketPeer.STATE_OPEN:
			if not _was_open:
				_on_open()
			_receive()
			_watch(delta)
		WebSocketPeer.STATE_CLOSED:
			_on_closed()


func _exit_tree() -> void:
	close()


## Connect, and stay connected.
func open() -> void:
	_wanted = true
	if _socket == null:
		_dial()


## Hang up, and stay away.
func close() -> void:
	_wanted = false
	if _socket != null:
		_socket.close(1000, "the game ended")
		_socket = null
		_was_open = false


func is_open() -> bool:
	return _was_open


## An id no other event of this game has.
func new_id() -> String:
	_next_id += 1
	return "%s-%d" % [_session, _next_id]


## Send a message now. While the line is broken only reports are kept for later; an event about a
## moment that is gone by then would be answered out of turn.
func send(message: Dictionary) -> void:
	if not _was_open:
		if message["type"] == "agent_turn_result":
			_unsent.append(message)
		return
	var error := _socket.send_text(JSON.stringify(message))
	if error != OK:
		# An outgoing message that does not fit the buffer is lost without a word, but for this code.
		push_error(
			"Talekeeper: %s could not be sent (%s)." % [message["type"], error_string(error)]
		)


## Something that every NPC notices, without being asked to answer.
func notify_all(event: Dictionary, ttl_turns := 1) -> void:
	send({"type": "notification_event", "agent_id": "*", "event": event, "ttl_turns": ttl_turns})


func register(npc: Node, agent_id: String) -> void:
	_npcs[agent_id] = npc


func unregister(agent_id: String) -> void:
	_npcs.erase(agent_id)


func _dial() -> void:
	_socket = WebSocketPeer.new()
	# Both before connecting: the defaults are 64 KiB, and a larger message closes the line or is lost.
	_socket.inbound_buffer_size = MAX_BYTES
	_socket.outbound_buffer_size = MAX_BYTES
	_socket.max_queued_packets = 4096
	if token != "":
		_socket.handshake_headers = PackedStringArray(["Authorization: Bearer " + token])
	if _socket.connect_to_url(url) != OK:
		_socket = null
		_retry_later()


func _on_open() -> void:
	_was_open = true
	_pause = FIRST_PAUSE
	_quiet = 0.0
	_since_ping = 0.0
	for message in _unsent:
		send(message)
	_unsent.clear()
	connected.emit()


func _on_closed() -> void:
	var code := _socket.get_close_code()
	var reason := _socket.get_close_reason()
	_socket = null
	if _was_open:
		_was_open = false
		disconnected.emit(code, reason)
	_retry_later()


func _retry_later() -> void:
	_until_retry = _pause * randf_range(0.7, 1.3)
	_pause = minf(_pause * 2.0, LONGEST_PAUSE)


func _receive() -> void:
	while _socket != null and _socket.get_available_packet_count() > 0:
		_quiet = 0.0
		var message: Variant = JSON.parse_string(_socket.get_packet().get_string_from_utf8())
		if message is Dictionary:
			_take(message)


func _take(message: Dictionary) -> void:
	message_received.emit(message)
	if message["type"] == "error":
		if message["fatal"]:
			_wanted = false
			refused.emit(message)
		error_received.emit(message)
	var npc: Node = _npcs.get(message.get("agent_id", ""))
	if npc != null:
		npc.take(message)


func _watch(delta: float) -> void:
	_quiet += delta
	_since_ping += delta
	if _since_ping >= PING_EVERY:
		_since_ping = 0.0
		send({"type": "ping", "ts": Time.get_ticks_msec()})
	# A frame that took very long is a loading screen, not a dead line.
	if delta < 1.0 and _quiet >= DEAD_AFTER:
		_socket.close(4000, "nothing was heard for too long")
		_quiet = 0.0
