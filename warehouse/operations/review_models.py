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

from warehouse.operations.models import METADATA, NEVER_REUSED, Instant, personal

_OF_SUBMITTER = personal(180, "submitted_at")
_OF_SENDER = personal(30, "submitted_at")
# A submitted place. `state`: pending, approved, rejected. It is never shown from here: it is
# inactive and pending until a release includes it. `place_key` is a digest of the normalised name
# and ZIP code: a place that is approved has none with the same key; several may wait.
SUBMISSIONS = Table(
    "submissions",
    METADATA,
    Column("submission_id", Integer, primary_key=True),
    Column("state", String(10), nullable=False, index=True),
    Column("is_active", Integer, nullable=False, server_default="0"),
    Column("verification_status", String(20), nullable=False, server_default="pending"),
    Column("place_key", String(64), nullable=False, index=True),
    # The client's own key of the request, or its content; see `rows.request_digest`.
    Column("request_key", String(64), unique=True),
    Column("place_json", Text, nullable=False),  # the normalised fields of a place
    Column("zip", String(5), nullable=False),
    Column("submitter_email", String(254), info=_OF_SUBMITTER),
    Column("submitter_name", String(120), info=_OF_SUBMITTER),
    Column("submitter_relationship", String(120), info=_OF_SUBMITTER),
    Column("network", String(64), index=True, info=_OF_SENDER),
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
    Column("resource_id", BigInteger, nullable=False, index=True),
    Column("state", String(10), nullable=False, index=True),
    Column("authority", String(10), nullable=False),
    Column("claim_id", Integer),
    Column("changes_json", Text, nullable=False),
    Column("base_json", Text, nullable=False),
    Column("open_key", String(64), unique=True),  # place, authority and changes, while it waits
    Column("submitted_by", String(254), info=_OF_SUBMITTER),
    Column("network", String(64), index=True, info=_OF_SENDER),
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
    Column("resource_id", BigInteger),
    Column("type", String(12), nullable=False),
    Column("comment", String(1000), info=personal(180, "at")),
    Column("contact", String(254), info=personal(180, "at")),
    Column("voter", String(64)),
    # 4 or 6: the version of the voter's Internet address.
    Column("ip_version", Integer),
    Column("network", String(64), index=True, info=personal(30, "at")),
    Column("day", String(10), nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Column("is_read", Boolean, nullable=False, server_default="0"),
    # Discarded votes have no effect.
    Column("discarded_at", Instant),
    # The client's own key of the request; see `rows.request_digest`.
    Column("request_key", String(64), unique=True),
    UniqueConstraint("resource_id", "voter", "day"),
    **NEVER_REUSED,
)
# The key of a listing's voters. Deleting it makes them unidentifiable.
FEEDBACK_KEYS = Table(
    "feedback_keys",
    METADATA,
    Column("resource_id", BigInteger, primary_key=True, autoincrement=False),
    Column("key", LargeBinary(32), nullable=False),
)
# A listing doubted by votes. `state`: review (shown as a doubt; a person decides), applied (the
# person retired it), rejected (the listing stays), undone (restored), lapsed (too few votes
# remain). `open_key` allows one open row for each listing, about its gravest doubt.
FEEDBACK_EFFECTS = Table(
    "feedback_effects",
    METADATA,
    Column("effect_id", Integer, primary_key=True),
    Column("resource_id", BigInteger, nullable=False),
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
    Column("resource_id", BigInteger, primary_key=True, autoincrement=False),
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
