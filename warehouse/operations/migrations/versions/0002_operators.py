"""Claims, live statuses, confirmations, limits, audit."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from warehouse.operations.models import NEVER_REUSED, Instant

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    _claims()
    _statuses()
    _live()
    _limits()
    op.create_table(
        "audit",
        sa.Column("audit_id", sa.Integer, primary_key=True),
        sa.Column("at", Instant, nullable=False, index=True),
        sa.Column("actor", sa.String(80), nullable=False),
        sa.Column("action", sa.String(40), nullable=False),
        sa.Column("subject", sa.String(80), nullable=False, index=True),
        sa.Column("detail_json", sa.Text, nullable=False, server_default="{}"),
        **NEVER_REUSED,
    )


def _claims() -> None:
    op.create_table(
        "claims",
        sa.Column("claim_id", sa.Integer, primary_key=True),
        sa.Column("resource_id", sa.Integer, nullable=False, index=True),
        sa.Column("operator_email", sa.String(254), nullable=False),
        sa.Column("email_key", sa.String(64), nullable=False),
        sa.Column("operator_phone", sa.String(20)),
        sa.Column("operator_name", sa.String(120)),
        sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("email_proven_at", Instant),
        sa.Column("confirmed_at", Instant),
        sa.Column("confirmed_by", sa.String(40)),
        sa.Column("revoked_at", Instant),
        sa.Column("revoked_by", sa.String(40)),
        sa.Column("expires_at", Instant, nullable=False),
        sa.UniqueConstraint("resource_id", "email_key"),
        **NEVER_REUSED,
    )
    op.create_table(
        "confirmations",
        sa.Column("confirmation_id", sa.Integer, primary_key=True),
        sa.Column(
            "claim_id",
            sa.Integer,
            sa.ForeignKey("claims.claim_id", ondelete="CASCADE"),
            nullable=False,
            index=True,
        ),
        sa.Column("channel", sa.String(10), nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=False, index=True),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.Column("used_at", Instant),
        **NEVER_REUSED,
    )


def _statuses() -> None:
    op.create_table(
        "statuses",
        sa.Column("status_id", sa.Integer, primary_key=True),
        sa.Column("resource_id", sa.Integer, nullable=False),
        sa.Column("claim_id", sa.Integer, sa.ForeignKey("claims.claim_id"), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("notes", sa.String(500)),
        sa.Column("inventory_json", sa.String(400), nullable=False),
        sa.Column("reported_at", Instant, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
        sa.Column("withdrawn_at", Instant),
        sa.Column("request_key", sa.String(64)),
        sa.UniqueConstraint("claim_id", "request_key"),
        sa.Index(None, "resource_id", "reported_at"),
        sa.Index(None, "claim_id", "reported_at"),
        **NEVER_REUSED,
    )


def _live() -> None:
    op.create_table(
        "live_changes",
        sa.Column("resource_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("version", sa.BigInteger, nullable=False, index=True),
    )
    counters = op.create_table(
        "counters",
        sa.Column("name", sa.String(20), primary_key=True),
        sa.Column("value", sa.BigInteger, nullable=False),
    )
    op.bulk_insert(counters, [{"name": "live", "value": 0}])


def _limits() -> None:
    op.create_table(
        "limit_hits",
        sa.Column("hit_id", sa.Integer, primary_key=True),
        sa.Column("scope", sa.String(30), nullable=False),
        sa.Column("client", sa.String(64), nullable=False),
        sa.Column("at", Instant, nullable=False, index=True),
        sa.Index(None, "scope", "client", "at"),
    )
    op.create_table(
        "daily_keys",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("key", sa.LargeBinary(32), nullable=False),
    )
