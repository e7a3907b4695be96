"""Version 0001: games, their seats and their logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first three tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("variant", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("turn", sa.Text),
        sa.Column("result", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("updated_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "seats",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Text, primary_key=True),
        sa.Column("guest", sa.LargeBinary(32), nullable=False),
    )
    op.create_index("ix_seats_guest", "seats", ["guest"])
    op.create_table(
        "events",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("ply", sa.Integer),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.UniqueConstraint("game", "ply", name="one_event_a_ply"),
    )


def downgrade() -> None:
    """Drop them again."""
    for table in ("events", "seats", "games"):
        op.drop_table(table)
