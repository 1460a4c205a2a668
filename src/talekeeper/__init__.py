"""Talekeeper keeps living worlds."""

__version__ = "0.1.0.dev0"
