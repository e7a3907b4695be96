"""Version 0002: games between people, and the invitations to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Say of every game who sits opposite, and keep the hashes of invitations."""
    op.add_column("games", sa.Column("against", sa.Text, nullable=False, server_default="house"))
    op.create_table(
        "invitations",
        sa.Column("code", sa.LargeBinary(32), primary_key=True),
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False, unique=True),
        sa.Column("seat", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Forget both."""
    op.drop_table("invitations")
    op.drop_column("games", "against")
