"""Clients for other programs. They import nothing else of Talekeeper, so that a game may take just the one it needs."""
