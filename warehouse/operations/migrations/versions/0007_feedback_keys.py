"""Feedback by the client's own key, so that a report that waited for a connection counts once."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("feedback", sa.Column("request_key", sa.String(64)))
    op.create_index("ix_feedback_request_key", "feedback", ["request_key"], unique=True)
