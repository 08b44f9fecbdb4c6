"""Checks HSDS rows beyond their declarations: recurrence rules, single parents, matching totals."""

from collections.abc import Sequence
from pathlib import Path

from schemas.hsds.collections import BY_NAME
from warehouse.checks.declared import Finding
from warehouse.duckdb import connect_shared, quote

_DAY = "(MO|TU|WE|TH|FR|SA|SU)"
_NTH_DAY = f"(-?[1-5])?{_DAY}"
_MONTH_DAY = "-?([1-9]|[12][0-9]|3[01])"

# Rule -> SQL of a broken row of `schedules`. RFC 5545 as used by HSDS 3.0.
SCHEDULE_RULES: dict[str, str] = {
    "until and count exclude each other": "until IS NOT NULL AND count IS NOT NULL",
    "a rule names its days": "freq IS NOT NULL AND byday IS NULL AND bymonthday IS NULL",
    "weekly days have no ordinal": (
        "freq = 'WEEKLY' AND byday IS NOT NULL AND NOT regexp_full_match(byday, "
        f"'{_DAY}(,{_DAY})*')"
    ),
    "monthly days are RFC 5545 days": (
        "freq = 'MONTHLY' AND byday IS NOT NULL AND NOT regexp_full_match(byday, "
        f"'{_NTH_DAY}(,{_NTH_DAY})*')"
    ),
    "a day is named once": (
        "len(string_split(byday, ',')) <> len(list_distinct(string_split(byday, ',')))"
    ),
    "days of the month are monthly": (
        "bymonthday IS NOT NULL AND (freq IS DISTINCT FROM 'MONTHLY' "
        f"OR NOT regexp_full_match(bymonthday, '{_MONTH_DAY}(,{_MONTH_DAY})*'))"
    ),
    "the interval is 1 or more": "(freq IS NULL) <> (interval IS NULL) OR interval < 1",
    "every other week begins on a date": "interval > 1 AND dtstart IS NULL",
    "a count is 1 or more and begins on a date": (
        "count IS NOT NULL AND (count < 1 OR dtstart IS NULL)"
    ),
    "it begins before it ends": (
        "until < dtstart OR until < valid_from OR valid_to < valid_from OR dtstart < valid_from"
    ),
    "without a rule there are words only": (
        "freq IS NULL AND (description IS NULL OR coalesce(opens_at, closes_at) IS NOT NULL OR "
        "byday IS NOT NULL OR dtstart IS NOT NULL OR until IS NOT NULL OR count IS NOT NULL)"
    ),
    "a closure has no rule": "is_closed AND (freq IS NOT NULL OR opens_at IS NOT NULL)",
    "times carry the offset of the row": (
        "coalesce(opens_at, closes_at) IS NOT NULL AND (timezone IS NULL OR "
        "substr(coalesce(opens_at, closes_at), 9) <> printf('%s%02d:00', CASE WHEN timezone < 0 "
        "THEN '-' ELSE '+' END, abs(timezone)) OR substr(opens_at, 9) <> substr(closes_at, 9))"
    ),
    "times are apart": "opens_at = closes_at",
}

_LINKS = ("location_id", "service_id", "organization_id", "contact_id", "service_at_location_id")
_PARENTS = {
    "phones": _LINKS,
    "schedules": ("service_id", "location_id", "service_at_location_id"),
    "languages": ("service_id", "location_id", "phone_id"),
}


# Inputs of `check_whole`: columns of collections, and of the resources.
READ: dict[str, tuple[str, ...]] = {
    "organizations": ("id",),
    "services": ("id", "organization_id", "resource_id"),
    "locations": ("id",),
    "service_at_location": ("id", "service_id", "location_id"),
    "attributes": ("link_id",),
    **{name: ("id", *columns) for name, columns in _PARENTS.items()},
}
READ_OF_RESOURCES = ("resource_id", "is_active")


def check_schedules(folder: Path) -> list[Finding]:
    """Return the broken rules of the schedules in a folder of `out_hsds__` Parquet files."""
    rules = [("schedules", rule, sql) for rule, sql in SCHEDULE_RULES.items()]
    return _broken(_view("schedules", folder), rules)


def check_whole(folder: Path, resources: Path) -> list[Finding]:
    """Check totals against the active resources, one category per service, one parent per row."""
    active = "(FROM resources WHERE is_active)"
    rules = [
        (
            "services",
            "services are the active resources",
            f"resource_id NOT IN (SELECT resource_id FROM {active})",
        ),
        (
            "services",
            "every service has exactly one attribute",
            "(SELECT count(*) FROM attributes a WHERE a.link_id = services.id) <> 1",
        ),
        ("service_at_location", "a pair occurs once", f"id IN ({_REPEATED})"),
        (
            "organizations",
            "every organization has a service",
            "id NOT IN (SELECT organization_id FROM services)",
        ),
        *(
            (
                name,
                "exactly one parent",
                " + ".join(f"({c} IS NOT NULL)::INTEGER" for c in columns) + " <> 1",
            )
            for name, columns in _PARENTS.items()
        ),
    ]
    totals = [
        (
            f"{name} are as many as {of}",
            f"SELECT (SELECT count(*) FROM {name} {where}) - (SELECT count(*) FROM {many})",
        )
        for name, where, of, many in (
            ("services", "WHERE resource_id IS NOT NULL", "active resources", active),
            ("locations", "", "active resources", active),
            ("service_at_location", "", "active resources", active),
            ("attributes", "", "services", "services"),
        )
    ]
    views = "".join(_view(name, folder, columns) for name, columns in READ.items())
    views += (
        f"CREATE TEMP VIEW resources AS SELECT {', '.join(READ_OF_RESOURCES)} "
        f"FROM read_parquet({quote(resources)})"
    )
    with connect_shared() as db:
        db.execute(views)
        findings = [Finding(rule, abs(db.execute(sql).fetchall()[0][0])) for rule, sql in totals]
    return _broken(views, rules) + [finding for finding in findings if finding.broken]


# Ids are listed only for pairs that occur more than once: listing all is expensive.
_REPEATED = """
SELECT unnest(list(id)[2:]) FROM service_at_location s SEMI JOIN (
    SELECT service_id, location_id FROM service_at_location GROUP BY ALL HAVING count(*) > 1
) r ON s.service_id IS NOT DISTINCT FROM r.service_id
    AND s.location_id IS NOT DISTINCT FROM r.location_id
GROUP BY service_id, location_id
"""


def _view(name: str, folder: Path, columns: Sequence[str] = ("*",)) -> str:
    path = folder / f"{BY_NAME[name].table_name}.parquet"
    return (
        f"CREATE TEMP VIEW {name} AS SELECT {', '.join(columns)} FROM read_parquet({quote(path)});"
    )


def _broken(views: str, rules: list[tuple[str, str, str]]) -> list[Finding]:
    findings = []
    with connect_shared() as db:
        db.execute(views)
        for table, rule, condition in rules:
            count, examples = db.execute(
                f"SELECT count(*), list(id)[1:5] FROM {table} WHERE {condition}"
            ).fetchall()[0]
            findings.append(Finding(f"{table}: {rule}", count, tuple(examples or ())))
    return [finding for finding in findings if finding.broken]
