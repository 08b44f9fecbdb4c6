"""Tables of the operations store, as SQLAlchemy Core declarations.

Personal data is stored only where needed, and each column that has some declares how long it is
kept (`personal`): a claim has the operator's e-mail address, telephone and name so that it can be
confirmed and reviewed. No network address is stored: limits use a hash that cannot be reversed once
the day's key is deleted. `migrations/versions` creates these tables.

What people write is `Text`: its limit is that of the request, and cleaning may make it longer
(Unicode's form C has two characters for U+0958). SQLite ignores the lengths that PostgreSQL
enforces.
"""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)


class Instant(TypeDecorator[datetime]):
    """Aware instant in UTC; without a zone in SQLite, which has none."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> Any:
        """Raise ValueError for an instant without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("the instant needs a time zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, _: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Personal(NamedTuple):
    """Personal data in a column: kept for `days` after the instant in each of the columns `since`
    (the first that ends counts), then replaced by `blank`."""

    days: int
    since: tuple[str, ...]
    blank: str | None = None


def personal(days: int, *since: str, blank: str | None = None) -> dict[str, Personal]:
    """Declare a column's personal data; the `info` of the column."""
    return {"personal": Personal(days, since, blank)}


METADATA = MetaData(
    # Explicit names, so that a later migration can refer to constraints on both databases.
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
# Ids are never reused, not even after the newest row was deleted.
NEVER_REUSED: dict[str, Any] = {"sqlite_autoincrement": True}

# One row per day, ZIP code and mode. No client, no address, no text: only a count.
SEARCH_COUNTS = Table(
    "search_counts",
    METADATA,
    Column("day", String(10), primary_key=True),
    Column("zip", String(5), primary_key=True),
    Column("mode", String(10), primary_key=True),
    Column("searches", Integer, nullable=False),
    Column("zero_results", Integer, nullable=False),
)

_OF_CLAIM = personal(90, "revoked_at", "expires_at", blank="")
# A person says that they run a place. `state`: schemas.vocab.claims.
CLAIMS = Table(
    "claims",
    METADATA,
    Column("claim_id", Integer, primary_key=True),
    Column("resource_id", BigInteger, nullable=False, index=True),
    Column("operator_email", String(254), nullable=False, info=_OF_CLAIM),
    # SHA-256 of the mailbox (`contacts.mailbox_of`); "forgotten" and the number without one.
    Column("email_key", String(64), nullable=False),
    Column("operator_phone", Text, info=_OF_CLAIM),
    Column("operator_name", Text, info=_OF_CLAIM),
    # A hash of the claimant's network, to discard claims of one network together.
    Column("network", String(64), index=True, info=personal(30, "created_at")),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("state", String(12), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("email_proven_at", Instant),
    Column("confirmed_at", Instant),
    Column("confirmed_by", String(40)),
    Column("revoked_at", Instant),
    Column("revoked_by", String(40)),
    Column("expires_at", Instant, nullable=False),
    UniqueConstraint("resource_id", "email_key"),
    **NEVER_REUSED,
)

# An operator's report on a place; valid until `expires_at` or its withdrawal.
STATUSES = Table(
    "statuses",
    METADATA,
    Column("status_id", Integer, primary_key=True),
    Column("resource_id", BigInteger, nullable=False),
    Column("claim_id", Integer, ForeignKey("claims.claim_id"), nullable=False),
    Column("status", String(16), nullable=False),
    Column("notes", Text, info=personal(180, "reported_at")),
    Column("inventory_json", String(400), nullable=False),
    Column("reported_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("withdrawn_at", Instant),
    # The client's own id of this report, so that a repeated request is stored once.
    Column("request_key", String(64)),
    UniqueConstraint("claim_id", "request_key"),
    Index(None, "resource_id", "reported_at"),
    Index(None, "claim_id", "reported_at"),
    **NEVER_REUSED,
)

# A secret sent to an e-mail address or a telephone; returning it proves access to that mailbox or
# telephone.
CONFIRMATIONS = Table(
    "confirmations",
    METADATA,
    Column("confirmation_id", Integer, primary_key=True),
    Column(
        "claim_id",
        Integer,
        ForeignKey("claims.claim_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("channel", String(10), nullable=False),  # email or phone
    Column("secret_hash", String(64), nullable=False, index=True),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("used_at", Instant),
    **NEVER_REUSED,
)

# Places whose live state changed. Workers read the rows above their known version.
LIVE_CHANGES = Table(
    "live_changes",
    METADATA,
    Column("resource_id", BigInteger, primary_key=True, autoincrement=False),
    Column("version", BigInteger, nullable=False, index=True),
)
# Counters locked until the transaction ends: numbers become visible in order.
COUNTERS = Table(
    "counters",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("value", BigInteger, nullable=False),
)

# One row per counted request of a client, deleted when its window ends.
LIMIT_HITS = Table(
    "limit_hits",
    METADATA,
    Column("hit_id", Integer, primary_key=True),
    Column("scope", String(30), nullable=False),
    Column("client", String(64), nullable=False),
    Column("at", Instant, nullable=False, index=True),
    Index(None, "scope", "client", "at"),
)
# The key of each day's address hashes. Deleting it makes them unidentifiable.
DAILY_KEYS = Table(
    "daily_keys",
    METADATA,
    Column("day", String(10), primary_key=True),
    Column("key", LargeBinary(32), nullable=False),
)

_OF_MESSAGE = personal(3, "expires_at")
# Messages to telephones and mailboxes, queued in the transaction that causes them. `state`:
# waiting, sent, dead, discarded. Recipient and text are secrets: NULL once nothing remains to be
# sent.
OUTBOX = Table(
    "outbox",
    METADATA,
    Column("message_id", Integer, primary_key=True),
    Column("channel", String(10), nullable=False),  # email or phone
    Column("state", String(10), nullable=False),
    Column("recipient", String(254), info=_OF_MESSAGE),
    Column("subject", Text, info=_OF_MESSAGE),
    Column("body", Text, info=_OF_MESSAGE),
    Column("about", String(80), nullable=False),  # "claim 12"
    Column("attempts", Integer, nullable=False, server_default="0"),
    # The next attempt; during an attempt, the end of the worker's lease.
    Column("due_at", Instant, nullable=False),
    Column("lease", String(32)),
    Column("fault", String(80)),  # of the last attempt, without address and text
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),  # of the contained link or code
    Column("ended_at", Instant),
    Index(None, "state", "due_at"),
    **NEVER_REUSED,
)

# Audit log. `actor`: "claim 12", "administrator ann", "service"; never an address or a token. A
# trigger refuses to change a row, and to delete one before its time; `hash` covers the row and the
# hash of the row before, so that a removed or changed row shows.
AUDIT = Table(
    "audit",
    METADATA,
    Column("audit_id", Integer, primary_key=True),
    Column("at", Instant, nullable=False, index=True),
    Column("actor", String(80), nullable=False),
    Column("action", String(40), nullable=False),
    Column("subject", String(80), nullable=False, index=True),  # "claim 12", "resource 7"
    Column("detail_json", Text, nullable=False, server_default="{}"),
    Column("previous_hash", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    **NEVER_REUSED,
)

# Telephone numbers that opted out, as hashes under the key `sms` of `secret_keys`.
SMS_OPT_OUTS = Table(
    "sms_opt_outs",
    METADATA,
    Column("number_hash", String(64), primary_key=True),
    Column("at", Instant, nullable=False),
)
# Replies of the last day by a hash of message and sender: a provider's retry gets the same one.
SMS_REPLIES = Table(
    "sms_replies",
    METADATA,
    Column("message_hash", String(64), primary_key=True),
    Column("reply", String(800), nullable=False),  # deleted a day after `at`
    Column("at", Instant, nullable=False, index=True),
)
# Permanent keys by purpose.
SECRET_KEYS = Table(
    "secret_keys",
    METADATA,
    Column("name", String(20), primary_key=True),
    Column("key", LargeBinary(32), nullable=False),
)


_OF_SUBMITTER = personal(180, "submitted_at")


def _review_columns() -> tuple[Column[Any], ...]:
    """Return the columns of an item that an administrator decides."""
    return (
        Column("state", String(10), nullable=False, index=True),
        Column("network", String(64), index=True, info=personal(30, "submitted_at")),
        Column("submitted_at", Instant, nullable=False),
        # A person asked the place itself.
        Column("is_confirmed", Boolean, nullable=False, server_default="0"),
        Column("decided_at", Instant),
        Column("decided_by", String(80)),
        Column("reason", Text),
    )


# A submitted place. `state`: pending, approved, rejected. It is never shown from here: it is
# inactive and pending until a release includes it. `place_key` is a digest of the normalized name
# and ZIP code: a place that is approved has none with the same key; several may wait.
SUBMISSIONS = Table(
    "submissions",
    METADATA,
    Column("submission_id", Integer, primary_key=True),
    Column("is_active", Integer, nullable=False, server_default="0"),
    Column("verification_status", String(20), nullable=False, server_default="pending"),
    Column("place_key", String(64), nullable=False, index=True),
    # The client's own key of the request, or its content; see `rows.request_digest`.
    Column("request_key", String(64), unique=True),
    Column("place_json", Text, nullable=False),  # the normalized fields of a place
    Column("zip", String(5), nullable=False),
    Column("submitter_email", Text, info=_OF_SUBMITTER),
    Column("submitter_name", Text, info=_OF_SUBMITTER),
    Column("submitter_relationship", Text, info=_OF_SUBMITTER),
    *_review_columns(),
    **NEVER_REUSED,
)

# Changes of a listed place, as a JSON merge patch on the public record. `base_json` has the
# record's values at that time. `authority`: operator (a confirmed claim) or community.
EDITS = Table(
    "edits",
    METADATA,
    Column("edit_id", Integer, primary_key=True),
    Column("resource_id", BigInteger, nullable=False, index=True),
    Column("authority", String(10), nullable=False),
    Column("claim_id", Integer),
    Column("changes_json", Text, nullable=False),
    Column("base_json", Text, nullable=False),
    Column("open_key", String(64), unique=True),  # place, authority and changes, while it waits
    Column("submitted_by", Text, info=_OF_SUBMITTER),
    *_review_columns(),
    **NEVER_REUSED,
)

# One vote per client, listing and day. `voter` is a keyed hash valid for this listing only.
FEEDBACK = Table(
    "feedback",
    METADATA,
    Column("feedback_id", Integer, primary_key=True),
    Column("resource_id", BigInteger),
    Column("type", String(12), nullable=False),
    Column("comment", Text, info=personal(180, "at")),
    Column("contact", Text, info=personal(180, "at")),
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
    Column("reason", Text),
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
    Column("reason", Text),
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
