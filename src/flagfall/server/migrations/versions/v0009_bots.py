"""Version 0009: tokens of bots, and challenges by name."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "tokens",
        sa.Column("key", sa.LargeBinary(32), primary_key=True),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("account", sa.Text, sa.ForeignKey("accounts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("used_ms", sa.BigInteger),
    )
    op.create_index("ix_tokens_account", "tokens", ["account"])
    op.create_table(
        "challenges",
        sa.Column("game", sa.Text, sa.ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("holder", sa.LargeBinary(32), nullable=False),
        sa.Column("at_ms", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_challenges_holder", "challenges", ["holder"])


def downgrade() -> None:
    """Forget them."""
    op.drop_table("challenges")
    op.drop_table("tokens")
