"""Version 0010: what rated games did to ratings, and openings that somebody shows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "rating_steps",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("holder", sa.LargeBinary(32), nullable=False),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("pace", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("rating", sa.Double, nullable=False),
        sa.Column("deviation", sa.Double, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("holder", "variant", "pace", "number", name="one_step_a_number"),
    )
    op.create_table(
        "openings",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("holder", sa.LargeBinary(32), nullable=False),
    )
    op.create_index("ix_openings_holder", "openings", ["holder"])


def downgrade() -> None:
    """Forget both."""
    op.drop_table("openings")
    op.drop_table("rating_steps")
