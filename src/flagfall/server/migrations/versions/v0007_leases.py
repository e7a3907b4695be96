"""Version 0007: the processes of a store, and which of them keeps what."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "processes",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("process", sa.Text, sa.ForeignKey("processes.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("ix_leases_process", "leases", ["process"])


def downgrade() -> None:
    """Forget both."""
    op.drop_table("leases")
    op.drop_table("processes")
