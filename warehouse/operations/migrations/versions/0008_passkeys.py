"""Reviewers sign in with passkeys: passwords and all that guarded them go, and so do sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

_INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "passkeys",
        sa.Column("passkey_id", sa.Integer, primary_key=True),
        sa.Column("administrator_id", sa.Integer, nullable=False),
        sa.Column("credential_id", sa.String(1364), nullable=False),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("label", sa.String(60), nullable=False),
        sa.Column("created_at", _INSTANT, nullable=False),
        sa.Column("used_at", _INSTANT),
        sa.UniqueConstraint("credential_id", name="uq_passkeys_credential_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_passkeys_administrator_id", "passkeys", ["administrator_id"])
    op.add_column("administrators", sa.Column("code_hash", sa.String(64)))
    op.add_column("administrators", sa.Column("code_expires_at", _INSTANT))
    op.drop_column("administrators", "password_hash")
    op.drop_table("sign_in_failures")
    op.execute("DELETE FROM sessions")
