"""Version 0004: links for those who look on."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Keep the hashes of links."""
    op.create_table(
        "watch_links",
        sa.Column("code", sa.LargeBinary(32), primary_key=True),
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False, unique=True),
    )


def downgrade() -> None:
    """Forget them."""
    op.drop_table("watch_links")
