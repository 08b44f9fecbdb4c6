"""Webhooks, and how far changes were announced to them."""

import sqlalchemy as sa
from alembic import op

from warehouse.operations.models import Instant

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("webhook_id", sa.Integer, primary_key=True),
        sa.Column("url", sa.String(2000), nullable=False),
        sa.Column("host", sa.String(253), nullable=False, index=True),
        sa.Column("topic", sa.String(30), nullable=False, index=True),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("secret_number", sa.Integer, nullable=False, server_default="1"),
        sa.Column("rotated_at", Instant),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("verified_at", Instant),
        sa.Column("delivered_at", Instant),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
        sa.Column("failing_since", Instant),
        sa.Column("fault", sa.String(80)),
        sa.Column("disabled_at", Instant),
        sa.Column("disasters", sa.Text),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "webhook_cursors",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_outbox_about", "outbox", ["about"])
