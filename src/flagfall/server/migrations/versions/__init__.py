"""The versions of the store's tables, in the order of their numbers."""
