"""Story templates: worlds ready to begin, as data."""

from talekeeper.presets.calendar import daypart_at, time_name
from talekeeper.presets.check import Finding, check
from talekeeper.presets.claims import world_claims
from talekeeper.presets.library import list_presets, load_card, load_preset, load_preset_folder
from talekeeper.presets.preset import Preset, PresetCard

__all__ = [
    "Finding", "Preset", "PresetCard", "check", "daypart_at", "list_presets", "load_card", "load_preset",
    "load_preset_folder", "time_name", "world_claims",
]  # fmt: skip
