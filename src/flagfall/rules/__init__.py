"""The law of the game: variants as data, positions, views, truths, and what may happen next."""
