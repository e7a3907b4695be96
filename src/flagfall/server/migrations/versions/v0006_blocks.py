"""Version 0006: who does not want to hear whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Keep blocks between guests, both by their hashes."""
    op.create_table(
        "blocks",
        sa.Column("guest", sa.LargeBinary(32), primary_key=True),
        sa.Column("blocked", sa.LargeBinary(32), primary_key=True),
    )


def downgrade() -> None:
    """Forget them."""
    op.drop_table("blocks")
