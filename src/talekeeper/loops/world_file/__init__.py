"""A whole world as one file: written as a stream, and taken in only if everything about it adds up."""

from talekeeper.loops.world_file.export import export_world
from talekeeper.loops.world_file.files import open_world_file, reading, writing
from talekeeper.loops.world_file.importing import import_world
from talekeeper.loops.world_file.lines import Footer, Header

__all__ = ["Footer", "Header", "export_world", "import_world", "open_world_file", "reading", "writing"]
