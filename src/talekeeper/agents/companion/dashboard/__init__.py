"""The dashboard of a stream: what tonight is about, written by the operator, parsed, generated and checked."""

from talekeeper.agents.companion.dashboard.dashboard import Dashboard, merge, theme_of
from talekeeper.agents.companion.dashboard.generator import GeneratorInput, generate
from talekeeper.agents.companion.dashboard.markdown import parse, render, topics
from talekeeper.agents.companion.dashboard.validator import validate

__all__ = ["Dashboard", "GeneratorInput", "generate", "merge", "parse", "render", "theme_of", "topics", "validate"]
