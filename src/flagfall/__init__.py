"""Flagfall: the board game Stratego, its law, its table, its machine player and its page."""

__version__ = "0.1.0"
