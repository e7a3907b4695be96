"""Alembic's entry: run the versions on the connection that was handed in."""

from __future__ import annotations

from alembic import context

from flagfall.server.store import tables

context.configure(connection=context.config.attributes["connection"], target_metadata=tables, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
