"""Votes put listings in doubt and retire none; what they retired comes back, for a person to
decide.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from warehouse.operations.models import NEVER_REUSED, Instant

revision = "0005"
down_revision = "0004"
# An administrator's decision names one; a rule's own has nobody.
_BY_VOTES_ALONE = "state = 'applied' AND decided_by IS NULL"
_CLOSING = '%"is_active":false%'


def upgrade() -> None:
    _add_columns()
    _add_tables()
    _reopen()
    _tell_causes()


def _add_columns() -> None:
    op.add_column("feedback", sa.Column("wave_id", sa.Integer))
    op.create_index("ix_feedback_wave_id", "feedback", ["wave_id"])
    op.add_column(
        "feedback_effects", sa.Column("reporters", sa.Integer, nullable=False, server_default="0")
    )
    op.add_column("feedback_effects", sa.Column("last_at", Instant))
    op.add_column(
        "closures", sa.Column("cause_kind", sa.String(10), nullable=False, server_default="review")
    )
    op.add_column("closures", sa.Column("reason", sa.String(500)))


def _add_tables() -> None:
    op.create_table(
        "vote_traces",
        sa.Column("feedback_id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("resource_id", sa.Integer, nullable=False, index=True),
        sa.Column("network", sa.String(64), nullable=False, index=True),
        sa.Column("county", sa.String(5), index=True),
        sa.Column("at", Instant, nullable=False, index=True),
    )
    op.create_table(
        "vote_waves",
        sa.Column("wave_id", sa.Integer, primary_key=True),
        sa.Column("state", sa.String(10), nullable=False, index=True),
        sa.Column("cause", sa.String(60), nullable=False),
        sa.Column("began_at", Instant, nullable=False),
        sa.Column("decided_at", Instant),
        sa.Column("decided_by", sa.String(80)),
        sa.Column("reason", sa.String(500)),
        **NEVER_REUSED,
    )


def _reopen() -> None:
    """Restore listings that votes alone retired, as doubts that await review.

    One that a person closed as well stays closed, by the person's decision.
    """
    db = op.get_bind()
    # "2 different visitors said closed within 180 days"; the newest vote is the one that reached
    # the number.
    rows = db.execute(
        sa.text(
            f"SELECT effect_id, resource_id, evidence FROM feedback_effects WHERE {_BY_VOTES_ALONE} ORDER BY effect_id"
        )
    ).all()
    for row in rows:
        first = row.evidence.partition(" ")[0]
        values = {"id": row.effect_id, "count": int(first) if first.isdigit() else 2}
        db.execute(
            sa.text(
                "UPDATE feedback_effects SET state = 'review', reporters = :count, last_at = made_at WHERE effect_id = :id"
            ),
            values,
        )
    ids = sorted({row.resource_id for row in rows})
    for resource_id in ids:
        _reopen_one(db, resource_id)
    if ids:
        _mark_changed(db, ids)
    is_waiting = "state = 'review' AND last_at IS NULL"
    db.execute(
        sa.text(f"UPDATE feedback_effects SET reporters = 2, last_at = made_at WHERE {is_waiting}")
    )


def _reopen_one(db: sa.Connection, resource_id: int) -> None:
    place = {"id": resource_id}
    closing = "SELECT edit_id FROM edits WHERE resource_id = :id AND state = 'approved' AND changes_json LIKE :closing ORDER BY edit_id"
    edit = db.execute(sa.text(closing), {**place, "closing": _CLOSING}).scalar()
    decided = db.execute(
        sa.text(
            "SELECT rule_id FROM feedback_effects WHERE resource_id = :id AND state = 'applied'"
        ),
        place,
    ).scalar()
    cause = f"edit {edit}" if edit else f"rule {decided}" if decided else None
    is_rule = "resource_id = :id AND cause LIKE 'rule %'"
    if cause:
        db.execute(
            sa.text(f"UPDATE closures SET cause = :cause WHERE {is_rule}"),
            {**place, "cause": cause},
        )
    else:
        db.execute(sa.text(f"DELETE FROM closures WHERE {is_rule}"), place)


def _mark_changed(db: sa.Connection, ids: list[int]) -> None:
    """Signal to running workers of other versions and this one, as `warehouse.operations.live_reports`
    does."""
    db.execute(sa.text("UPDATE counters SET value = value + 1 WHERE name = 'live'"))
    version = db.execute(sa.text("SELECT value FROM counters WHERE name = 'live'")).scalar()
    upsert = "INSERT INTO live_changes (resource_id, version) VALUES (:id, :version) ON CONFLICT (resource_id) DO UPDATE SET version = excluded.version"
    db.execute(sa.text(upsert), [{"id": i, "version": version} for i in ids])


def _tell_causes() -> None:
    """Record for each closure who retired the listing, and the reason given."""
    db = op.get_bind()
    for row in db.execute(sa.text("SELECT resource_id, cause FROM closures")).all():
        kind, _, key = row.cause.partition(" ")
        is_edit = kind == "edit" and key.isdigit()
        found = _edit_cause(db, int(key)) if is_edit else _effect_cause(db, row.resource_id, key)
        if found:
            values = {"id": row.resource_id, "kind": found[0], "reason": found[1]}
            db.execute(
                sa.text(
                    "UPDATE closures SET cause_kind = :kind, reason = :reason WHERE resource_id = :id"
                ),
                values,
            )


def _edit_cause(db: sa.Connection, number: int) -> tuple[str, str | None] | None:
    query = "SELECT authority, is_confirmed, reason FROM edits WHERE edit_id = :id"
    row = db.execute(sa.text(query), {"id": number}).first()
    if row is None:
        return None
    kind = "operator" if row.authority == "operator" else "place" if row.is_confirmed else "review"
    return kind, row.reason


def _effect_cause(
    db: sa.Connection, resource_id: int, rule_id: str
) -> tuple[str, str | None] | None:
    query = "SELECT reason FROM feedback_effects WHERE resource_id = :id AND rule_id = :rule AND state = 'applied'"
    row = db.execute(sa.text(query), {"id": resource_id, "rule": rule_id}).first()
    return row and ("closed" if rule_id == "feedback_closed" else "review", row.reason)
