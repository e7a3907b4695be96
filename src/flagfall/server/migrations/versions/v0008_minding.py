"""Version 0008: bans, reports, the operator's orders and the audit log."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the four tables."""
    op.create_table(
        "bans",
        sa.Column("subject", sa.LargeBinary(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seat", sa.Text, nullable=False),
        sa.Column("reporter", sa.LargeBinary(32), nullable=False),
        sa.Column("accused", sa.LargeBinary(32), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("closed_ms", sa.BigInteger),
        sa.UniqueConstraint("game", "seat", name="one_report_a_seat"),
    )
    op.create_table(
        "orders",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("asked_ms", sa.BigInteger, nullable=False),
        sa.Column("done_ms", sa.BigInteger),
        sa.Column("outcome", sa.Text),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
        sa.Column("deed", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("about", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Forget them."""
    for name in ("audit", "orders", "reports", "bans"):
        op.drop_table(name)
