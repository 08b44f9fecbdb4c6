"""Submissions, edits, feedback, merge decisions, administrators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from warehouse.operations.models import NEVER_REUSED, Instant

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for step in (_written, _feedback, _decided, _administrators):
        step()


def _written() -> None:
    op.create_table(
        "submissions",
        sa.Column("submission_id", sa.Integer, primary_key=True),
        sa.Column("state", sa.String(10), nullable=False, index=True),
        sa.Column("is_active", sa.Integer, nullable=False, server_default="0"),
        sa.Column("verification_status", sa.String(20), nullable=False, server_default="pending"),
        sa.Column("open_key", sa.String(64), unique=True),
        sa.Column("request_key", sa.String(64), unique=True),
        sa.Column("place_json", sa.Text, nullable=False),
        sa.Column("zip", sa.String(5), nullable=False),
        sa.Column("submitter_email", sa.String(254)),
        sa.Column("submitter_name", sa.String(120)),
        sa.Column("submitter_relationship", sa.String(120)),
        sa.Column("submitted_at", Instant, nullable=False),
        sa.Column("is_confirmed", sa.Boolean, nullable=False, server_default="0"),
        sa.Column("decided_at", Instant),
        sa.Column("decided_by", sa.String(80)),
        sa.Column("reason", sa.String(500)),
        **NEVER_REUSED,
    )
    op.create_table(
        "edits",
        sa.Column("edit_id", sa.Integer, primary_key=True),
        sa.Column("resource_id", sa.Integer, nullable=False, index=True),
        sa.Column("state", sa.String(10), nullable=False, index=True),
        sa.Column("authority", sa.String(10), nullable=False),
        sa.Column("claim_id", sa.Integer),
        sa.Column("changes_json", sa.Text, nullable=False),
        sa.Column("base_json", sa.Text, nullable=False),
        sa.Column("open_key", sa.String(64), unique=True),
        sa.Column("submitted_by", sa.String(254)),
        sa.Column("submitted_at", Instant, nullable=False),
        sa.Column("is_confirmed", sa.Boolean, nullable=False, server_default="0"),
        sa.Column("decided_at", Instant),
        sa.Column("decided_by", sa.String(80)),
        sa.Column("reason", sa.String(500)),
        **NEVER_REUSED,
    )


def _feedback() -> None:
    op.create_table(
        "feedback",
        sa.Column("feedback_id", sa.Integer, primary_key=True),
        sa.Column("resource_id", sa.Integer),
        sa.Column("type", sa.String(12), nullable=False),
        sa.Column("comment", sa.String(1000)),
        sa.Column("contact", sa.String(254)),
        sa.Column("voter", sa.String(64)),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("at", Instant, nullable=False, index=True),
        sa.Column("is_read", sa.Boolean, nullable=False, server_default="0"),
        sa.UniqueConstraint("resource_id", "voter", "day"),
        **NEVER_REUSED,
    )
    op.create_table(
        "feedback_keys",
        sa.Column("resource_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.LargeBinary(32), nullable=False),
    )
    op.create_table(
        "feedback_effects",
        sa.Column("effect_id", sa.Integer, primary_key=True),
        sa.Column("resource_id", sa.Integer, nullable=False),
        sa.Column("rule_id", sa.String(40), nullable=False),
        sa.Column("state", sa.String(10), nullable=False, index=True),
        sa.Column("open_key", sa.String(64), unique=True),
        sa.Column("evidence", sa.String(300), nullable=False),
        sa.Column("made_at", Instant, nullable=False),
        sa.Column("decided_at", Instant),
        sa.Column("decided_by", sa.String(80)),
        sa.Column("reason", sa.String(500)),
        sa.Index(None, "resource_id", "made_at"),
        **NEVER_REUSED,
    )


def _decided() -> None:
    op.create_table(
        "closures",
        sa.Column("resource_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("cause", sa.String(40), nullable=False),
        sa.Column("closed_at", Instant, nullable=False),
    )
    op.create_table(
        "merge_decisions",
        sa.Column("decision_id", sa.Integer, primary_key=True),
        sa.Column("source_id", sa.String(60), nullable=False),
        sa.Column("source_key", sa.String(300), nullable=False),
        sa.Column("other_source_id", sa.String(60), nullable=False),
        sa.Column("other_source_key", sa.String(300), nullable=False),
        sa.Column("decision", sa.String(10), nullable=False),
        sa.Column("decided_at", Instant, nullable=False),
        sa.Column("decided_by", sa.String(80), nullable=False),
        sa.UniqueConstraint("source_id", "source_key", "other_source_id", "other_source_key"),
        **NEVER_REUSED,
    )


def _administrators() -> None:
    op.create_table(
        "administrators",
        sa.Column("administrator_id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, unique=True),
        sa.Column("password_hash", sa.String(200), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("disabled_at", Instant),
        **NEVER_REUSED,
    )
    op.create_table(
        "sign_in_failures",
        sa.Column("name_hash", sa.String(64), primary_key=True),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("last_at", Instant, nullable=False),
        sa.Column("locked_until", Instant),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("administrator_id", sa.Integer, nullable=False, index=True),
        sa.Column("csrf", sa.String(64), nullable=False),
        sa.Column("created_at", Instant, nullable=False),
        sa.Column("seen_at", Instant, nullable=False),
        sa.Column("expires_at", Instant, nullable=False),
    )
