"""Tables for review: submissions, edits, feedback, merge decisions, administrators."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from warehouse.operations.models import METADATA, NEVER_REUSED, Instant

# A submitted place. `state`: pending, approved, rejected. It is never shown from here: it is
# inactive and pending until a release includes it. `open_key` is the normalised name and ZIP code
# unless rejected, so that the database rejects a duplicate.
SUBMISSIONS = Table(
    "submissions",
    METADATA,
    Column("submission_id", Integer, primary_key=True),
    Column("state", String(10), nullable=False, index=True),
    Column("is_active", Integer, nullable=False, server_default="0"),
    Column("verification_status", String(20), nullable=False, server_default="pending"),
    Column("open_key", String(64), unique=True),
    Column("request_key", String(64), unique=True),  # of the Idempotency-Key header
    Column("place_json", Text, nullable=False),  # the normalised fields of a place
    Column("zip", String(5), nullable=False),
    Column("submitter_email", String(254)),
    Column("submitter_name", String(120)),
    Column("submitter_relationship", String(120)),
    Column("submitted_at", Instant, nullable=False),
    Column(
        "is_confirmed", Boolean, nullable=False, server_default="0"
    ),  # a person asked the place itself
    Column("decided_at", Instant),
    Column("decided_by", String(80)),
    Column("reason", String(500)),
    **NEVER_REUSED,
)

# Changes of a listed place, as a JSON merge patch on the public record. `base_json` has the
# record's values at that time. `authority`: operator (a confirmed claim) or community.
EDITS = Table(
    "edits",
    METADATA,
    Column("edit_id", Integer, primary_key=True),
    Column("resource_id", Integer, nullable=False, index=True),
    Column("state", String(10), nullable=False, index=True),
    Column("authority", String(10), nullable=False),
    Column("claim_id", Integer),
    Column("changes_json", Text, nullable=False),
    Column("base_json", Text, nullable=False),
    Column("open_key", String(64), unique=True),  # place and changes, while it waits
    Column("submitted_by", String(254)),
    Column("submitted_at", Instant, nullable=False),
    Column("is_confirmed", Boolean, nullable=False, server_default="0"),
    Column("decided_at", Instant),
    Column("decided_by", String(80)),
    Column("reason", String(500)),
    **NEVER_REUSED,
)

# One vote per client, listing and day. `voter` is a keyed hash valid for this listing only.
FEEDBACK = Table(
    "feedback",
    METADATA,
    Column("feedback_id", Integer, primary_key=True),
    Column("resource_id", Integer),
    Column("type", String(12), nullable=False),
    Column("comment", String(1000)),
    Column("contact", String(254)),
    Column("voter", String(64)),
    Column("day", String(10), nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Column("is_read", Boolean, nullable=False, server_default="0"),
    # The wave of the vote: while set, the vote has no effect.
    Column("wave_id", Integer, index=True),
    # A digest of the client's own key of the request: a repeated request is stored once.
    Column("request_key", String(64), unique=True, index=True),
    UniqueConstraint("resource_id", "voter", "day"),
    **NEVER_REUSED,
)
# The key of a listing's voters. Deleting it makes them unidentifiable.
FEEDBACK_KEYS = Table(
    "feedback_keys",
    METADATA,
    Column("resource_id", Integer, primary_key=True, autoincrement=False),
    Column("key", LargeBinary(32), nullable=False),
)
# The votes of the last hour with a hash of their network under the day's key, to detect waves. Rows
# are deleted after the hour; then votes of one network cannot be linked.
VOTE_TRACES = Table(
    "vote_traces",
    METADATA,
    Column("feedback_id", Integer, primary_key=True, autoincrement=False),
    Column("resource_id", Integer, nullable=False, index=True),
    Column("network", String(64), nullable=False, index=True),
    Column("county", String(5), index=True),  # FIPS code of the place's county
    Column("at", Instant, nullable=False, index=True),
)
# Many votes within an hour: from one network on many places, or on many places of one county.
# `state`: held (a person decides), discarded (the votes never count), released (they count).
VOTE_WAVES = Table(
    "vote_waves",
    METADATA,
    Column("wave_id", Integer, primary_key=True),
    Column("state", String(10), nullable=False, index=True),
    Column("cause", String(60), nullable=False),
    Column("began_at", Instant, nullable=False),
    Column("decided_at", Instant),
    Column("decided_by", String(80)),
    Column("reason", String(500)),
    **NEVER_REUSED,
)
# A listing doubted by votes. `state`: review (shown as a doubt; a person decides), applied (the
# person retired it), rejected (the listing stays), undone (restored), lapsed (too few votes
# remain).
FEEDBACK_EFFECTS = Table(
    "feedback_effects",
    METADATA,
    Column("effect_id", Integer, primary_key=True),
    Column("resource_id", Integer, nullable=False),
    Column("rule_id", String(40), nullable=False),
    Column("state", String(10), nullable=False, index=True),
    Column("open_key", String(64), unique=True),
    Column("evidence", String(300), nullable=False),
    Column("reporters", Integer, nullable=False, server_default="0"),
    Column("made_at", Instant, nullable=False),
    Column("last_at", Instant),  # of the newest vote
    Column("decided_at", Instant),
    Column("decided_by", String(80)),
    Column("reason", String(500)),
    Index(None, "resource_id", "made_at"),
    **NEVER_REUSED,
)

# Listings retired by a person but still in the served release: hidden until the next one.
CLOSURES = Table(
    "closures",
    METADATA,
    Column("resource_id", Integer, primary_key=True, autoincrement=False),
    Column("cause", String(40), nullable=False),  # "edit 12", "rule feedback_closed"
    Column("cause_kind", String(10), nullable=False, server_default="review"),  # ClosureCause
    Column("reason", String(500)),
    Column("closed_at", Instant, nullable=False),
)

# Whether two source records are one place; matching in the next build applies it.
MERGE_DECISIONS = Table(
    "merge_decisions",
    METADATA,
    Column("decision_id", Integer, primary_key=True),
    Column("source_id", String(60), nullable=False),
    Column("source_key", String(300), nullable=False),
    Column("other_source_id", String(60), nullable=False),
    Column("other_source_key", String(300), nullable=False),
    Column("decision", String(10), nullable=False),
    Column("decided_at", Instant, nullable=False),
    Column("decided_by", String(80), nullable=False),
    UniqueConstraint("source_id", "source_key", "other_source_id", "other_source_key"),
    **NEVER_REUSED,
)

ADMINISTRATORS = Table(
    "administrators",
    METADATA,
    Column("administrator_id", Integer, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("created_at", Instant, nullable=False),
    Column("disabled_at", Instant),
    # Of the one-time code that adds a passkey; none once used.
    Column("code_hash", String(64)),
    Column("code_expires_at", Instant),
    **NEVER_REUSED,
)
# WebAuthn credentials. Nothing here grants access: the private key never leaves the device.
PASSKEYS = Table(
    "passkeys",
    METADATA,
    Column("passkey_id", Integer, primary_key=True),
    Column("administrator_id", Integer, nullable=False, index=True),
    # In base64url: at most 1,023 bytes (WebAuthn, 4).
    Column("credential_id", String(1364), nullable=False, unique=True),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", String(60), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("used_at", Instant),
    **NEVER_REUSED,
)
SESSIONS = Table(
    "sessions",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("administrator_id", Integer, nullable=False, index=True),
    Column("csrf", String(64), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("seen_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
)
