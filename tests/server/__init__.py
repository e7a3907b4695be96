"""The server: store, rooms, border, and what each seat receives."""
