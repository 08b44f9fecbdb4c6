"""Text messages: opt-outs, and the replies of the last day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from warehouse.operations.models import Instant

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "sms_opt_outs",
        sa.Column("number_hash", sa.String(64), primary_key=True),
        sa.Column("at", Instant, nullable=False),
    )
    op.create_table(
        "sms_replies",
        sa.Column("message_hash", sa.String(64), primary_key=True),
        sa.Column("reply", sa.String(800), nullable=False),
        sa.Column("at", Instant, nullable=False, index=True),
    )
    op.create_table(
        "secret_keys",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("key", sa.LargeBinary(32), nullable=False),
    )
