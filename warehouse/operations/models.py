"""Tables of the operations store, as SQLAlchemy Core declarations.

Personal data is stored only where needed, and each column that has some declares how long it is
kept (`personal`): a claim has the operator's e-mail address, telephone and name so that it can be
confirmed and reviewed. No network address is stored: limits use a hash that cannot be reversed once
the day's key is deleted. `migrations/versions` creates these tables.
"""

from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
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
    # SHA-256 of the mailbox (`contacts.mailbox_of`), of a random text once it is forgotten.
    Column("email_key", String(64), nullable=False),
    Column("operator_phone", String(20), info=_OF_CLAIM),
    Column("operator_name", String(120), info=_OF_CLAIM),
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
    Column("notes", String(500), info=personal(180, "reported_at")),
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
    Column("subject", String(300), info=_OF_MESSAGE),
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
