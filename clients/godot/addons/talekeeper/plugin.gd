@tool
extends EditorPlugin
## Adds the autoload `Talekeeper`, the link to the server.

const AUTOLOAD := "Talekeeper"


func _enter_tree() -> void:
	if not ProjectSettings.has_setting("autoload/" + AUTOLOAD):
		add_autoload_singleton(AUTOLOAD, "res://addons/talekeeper/talekeeper_link.gd")


func _disable_plugin() -> void:
	remove_autoload_singleton(AUTOLOAD)
