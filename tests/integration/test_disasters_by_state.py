"""Compare the service's answers for every state with FEMA's own files."""

from datetime import date
from typing import Any

import pandas as pd
import pytest

from schemas.vocab.states import STATE_CODES
from serving.disasters import disasters
from tests.support.declared import active_by_hand
from tests.support.releases import write_release
from tests.support.source_files import SHARED_SOURCES, shared_rows
from warehouse.index.reader import OpenRelease
from warehouse.release.store import ReleaseStore

pytestmark = pytest.mark.shared
# Days on which the files, which end on 2024-11-09, have hurricanes, quiet times, tornadoes, fires.
DAYS = [
    date(2024, 11, 9),
    date(2024, 10, 15),
    date(2024, 8, 1),
    date(2024, 5, 20),
    date(2024, 1, 15),
    date(2026, 11, 22),
]
# Ten states on 2024-11-09: active declarations, whether D-SNAP is likely, and the reason.
TEN = {
    "FL": (
        6,
        True,
        "likely",
    ),  # Milton and Helene, with help for households, two of them declared 4 and 29 days before
    "NC": (
        3,
        True,
        "likely",
    ),  # Helene has no last day in the file, and was declared 42 days before
    "NY": (3, True, "likely"),  # one of three major disasters has help for households
    "SC": (3, True, "likely"),
    "WA": (1, True, "likely"),  # declared 46 days before for fires of June and July
    "CT": (2, True, "likely"),  # flood of August, declared 50 days before, and a fire
    "NE": (2, False, "no_individual_assistance"),  # major disasters with public assistance only
    "OK": (2, False, "no_individual_assistance"),  # two fires
    "VI": (1, False, "no_individual_assistance"),
    "CA": (
        0,
        False,
        "no_active_disaster",
    ),  # its fires without a last day were declared 59 days ago and more
}


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> OpenRelease:
    rows = pd.concat(
        [
            shared_rows(
                "fema_declarations",
                "fema_web_declarations",
                "FemaWebDisasterDeclarations.2024-11.csv",
            ),
            shared_rows(
                "fema_declarations",
                "fema_declarations_summaries",
                "DisasterDeclarationsSummaries.tornado1000.2024-08.csv",
            ),
        ],
        ignore_index=True,
    )
    valid_rows = rows[rows["reject_reason"].isna()] if "reject_reason" in rows else rows
    plain = valid_rows.astype("object").where(valid_rows.notna(), None)
    records: list[dict[str, Any]] = plain.to_dict("records")
    for record in records:
        for name, value in record.items():
            if isinstance(value, pd.Timestamp) and name.endswith("_date"):
                record[name] = value.date()
    folder = tmp_path_factory.mktemp("fema")
    release_id = write_release(folder, [], declarations=records)
    return OpenRelease(ReleaseStore(folder).folder(release_id))


@pytest.mark.parametrize("on", DAYS, ids=str)
def test_every_state_agrees_with_the_file(
    release: OpenRelease, on: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disasters, "today", lambda: date(2026, 11, 22))
    by_hand = active_by_hand(SHARED_SOURCES, on)
    for state in STATE_CODES:
        answer = disasters.active(release, state=state, on=on)
        names, likely = by_hand.get(state, (set(), False))
        assert {d.declaration_string for d in answer.declarations} == names, state
        # The files end on 2024-11-09: two years later they cannot tell.
        is_open = on.year == 2026 and disasters.has_snap(state, on)
        assert answer.has_dsnap_likely is (None if is_open else likely), state
    current = disasters.current(release, on)
    assert current.total_active == sum(len(by_hand[s][0]) for s in by_hand if s in STATE_CODES)


@pytest.mark.parametrize("state", TEN)
def test_ten_states_have_the_expected_reason(
    release: OpenRelease, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disasters, "today", lambda: date(2026, 11, 22))
    answer = disasters.active(release, state=state, on=date(2024, 11, 9))
    assert (answer.total_active, answer.has_dsnap_likely, answer.dsnap_reason) == TEN[state]
