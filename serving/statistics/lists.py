"""The lists that the directory has for each state and county, their age, and what is withheld."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import date

from schemas.api.coverage_document import WithheldList
from schemas.api.coverage_lists import CountyLists, PublishedList, StateLists
from schemas.sources.registry import Source, reference_sources, sources
from schemas.sources.rights import Right
from schemas.values.names import fold_name
from schemas.vocab.rights import PUBLISHED_USES
from schemas.vocab.states import STATES
from serving.http.per_release import per_release
from serving.reference.organization import organization_head
from serving.reference.totals import head_of
from serving.settings import Settings
from serving.statistics.food_access import access_of
from warehouse.index.food_access import Row, counties_of
from warehouse.index.list_totals import ListTotals, read_list_totals, read_rights
from warehouse.index.reader import OpenRelease


@per_release
def totals_by_state(release: OpenRelease) -> dict[str, list[ListTotals]]:
    """Return totals by list and county of every state and territory, also where nothing is listed.

    Reads the database: call it in a thread.
    """
    found: dict[str, list[ListTotals]] = {code: [] for code in STATES}
    with release.cursor() as db:
        for totals in read_list_totals(db):
            found.setdefault(totals.state, []).append(totals)
    return found


def state_lists(release: OpenRelease, settings: Settings, code: str) -> StateLists:
    """Return the lists of a state."""
    total = access_of(release).areas[code]
    with release.cursor() as db:
        counties = counties_of(db, code)
    totals = totals_by_state(release)[code]
    free = sum(county["free_food_count"] for county in counties)
    return StateLists(
        **head_of(release),
        organization=organization_head(settings),
        state=code,
        name=STATES[code].name,
        places=release.count_by_state.get(code, 0),
        free_food=total["free_food_count"],
        lists=published_lists(totals),
        withheld=[w for w in withheld_lists(release) if states_of(w.source) == {code}],
        counties=_counties(counties, totals),
        free_food_without_county=max(0, total["free_food_count"] - free),
    )


def published_lists(totals: Iterable[ListTotals]) -> list[PublishedList]:
    """Return one entry for each source: the most free food first, then the most places."""
    by_source: dict[str, list[ListTotals]] = defaultdict(list)
    for each in totals:
        by_source[each.source_id].append(each)
    found = [_publish(source_id, rows) for source_id, rows in by_source.items()]
    return sorted(found, key=lambda entry: (-entry.free_food, -entry.places, entry.source))


def _publish(source_id: str, rows: list[ListTotals]) -> PublishedList:
    source = sources().get(source_id)
    oldest = min((row.oldest for row in rows if row.oldest), default=None)
    return PublishedList(
        source=source_id,
        title=source.title if source else source_id,
        publisher=source.publisher if source else "",
        license=source.license.id if source else "",
        places=sum(row.places for row in rows),
        free_food=sum(row.free_food for row in rows),
        oldest_date=oldest.isoformat() if oldest else None,
        newest_date=newest_date(rows),
    )


def newest_date(rows: Iterable[ListTotals]) -> str | None:
    """Return the newest day for which a list speaks."""
    days: list[date] = [row.newest for row in rows if row.newest]
    return max(days).isoformat() if days else None


def with_free_food(totals: Iterable[ListTotals]) -> list[ListTotals]:
    return [row for row in totals if row.free_food]


@per_release
def withheld_lists(release: OpenRelease) -> list[WithheldList]:
    """Return the lists of which rows are not published, most rows first.

    Reads the database: call it in a thread.
    """
    with release.cursor() as db:
        rights = read_rights(db)
    known = {**sources(), **reference_sources()}
    entries = [e for e in release.manifest.sources if e.rows_withheld and e.id in known]
    entries.sort(key=lambda e: (-e.rows_withheld, e.id))
    return [withheld_list(known[e.id], rights.get(e.id), e.rows_withheld) for e in entries]


def withheld_list(source: Source, right: Right | None, rows: int) -> WithheldList:
    """Return a list with the reason of the release's policy.

    Of a list that may be published, rows are held back for a reason that is not one of rights.
    """
    if right is not None and right.use in PUBLISHED_USES:
        right = None
    return WithheldList(
        source=source.id,
        title=source.title,
        publisher=source.publisher,
        rows=rows,
        use=right.use if right else None,
        basis=right.basis if right else None,
        reason=right.reason if right else None,
        license_url=source.license.url,
    )


def states_of(source_id: str) -> set[str]:
    """Return the states that all files of a source declare; empty where one declares none."""
    source = sources().get(source_id)
    declared = [file.known.get("state", "") for file in source.files] if source else []
    return set(declared) if all(declared) else set()


def _counties(counties: list[Row], totals: list[ListTotals]) -> list[CountyLists]:
    by_county: dict[str | None, list[ListTotals]] = defaultdict(list)
    for each in with_free_food(totals):
        by_county[each.county_fips].append(each)
    found = [
        CountyLists(
            county_fips=row["county_fips"],
            name=row["county_name"] or row["county_fips"],
            population=row["population"],
            places=row["resource_count"],
            free_food=row["free_food_count"],
            sources=[each.source_id for each in by_county[row["county_fips"]]],
            newest_date=newest_date(by_county[row["county_fips"]]),
        )
        for row in counties
    ]
    return sorted(found, key=lambda county: (fold_name(county.name), county.county_fips))
