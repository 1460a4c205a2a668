"""The ledger of a stream: what a session leaves behind, as Markdown, an Obsidian note, a page, or a Discord message."""

from .discord import discord_body
from .discussion import choose_discussion
from .files import file_name, write
from .html import html
from .markdown import markdown
from .obsidian import obsidian
from .pulse import pulse, pulse_picture
from .record import LedgerAction, LedgerClip, LedgerLine, LedgerRecord, LedgerSeed, LedgerSummary, PulseBin

__all__ = [
    "LedgerAction",
    "LedgerClip",
    "LedgerLine",
    "LedgerRecord",
    "LedgerSeed",
    "LedgerSummary",
    "PulseBin",
    "choose_discussion",
    "discord_body",
    "file_name",
    "html",
    "markdown",
    "obsidian",
    "pulse",
    "pulse_picture",
    "write",
]
