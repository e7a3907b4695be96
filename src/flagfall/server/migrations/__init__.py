"""How the store's tables came to be what they are: Alembic's versions, run when a store is opened."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

HEAD = "0010"


def upgrade(connection: sa.Connection) -> None:
    """Bring a database to the newest version; one that is there already costs a single question."""
    if connection.dialect.name == "postgresql":
        # Two servers that start at once must not both make the tables.
        connection.execute(sa.text("select pg_advisory_xact_lock(hashtext('flagfall tables'))"))
    if sa.inspect(connection).has_table("alembic_version"):
        at = connection.execute(sa.text("select version_num from alembic_version")).scalar_one_or_none()
        if at == HEAD:
            return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)
