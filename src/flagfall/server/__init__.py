"""People: the lobby, the rooms of running games, the store and the page."""
