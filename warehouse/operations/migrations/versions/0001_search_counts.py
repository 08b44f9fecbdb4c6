"""Search counts. Stores made before there were steps have this table already, with counts in it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    if sa.inspect(op.get_bind()).has_table("search_counts"):
        return
    op.create_table(
        "search_counts",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("zip", sa.String(5), primary_key=True),
        sa.Column("mode", sa.String(10), primary_key=True),
        sa.Column("searches", sa.Integer, nullable=False),
        sa.Column("zero_results", sa.Integer, nullable=False),
    )
