"""Messages that wait to be sent."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from warehouse.operations.models import Instant

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "outbox",
        sa.Column("message_id", sa.Integer, primary_key=True),
        sa.Column("channel", sa.String(10), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("recipient", sa.String(254)),
        sa.Column("subject", sa.String(300)),
        sa.Column("body", sa.Text),
        sa.Column("about", sa.String(80), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("due_at", Instant, nullable=False),
        sa.Column("lease", sa.String(32)),
        sa.Column("fault", sa.String(80)),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.Column("ended_at", Instant),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_state_due_at", "outbox", ["state", "due_at"])
