from collections.abc import Iterator

import pytest

from tests.support.census_server import Census, census_server


@pytest.fixture
def census() -> Iterator[Census]:
    with census_server() as census:
        census.match(
            "1 INVENTED WAY",
            "1 INVENTED WAY, SALEM, MA, 01970",
            "-70.893356,42.517876491",
            "25",
            "009",
            "204200",
            "1002",
        )
        census.match(
            "2 INVENTED WAY",
            "2 INVENTED WAY NE, SALEM, MA, 01970",
            "-70.89,42.52",
            "25",
            "009",
            "204200",
            "1003",
            exact=False,
        )
        census.tie("3 INVENTED WAY")
        yield census
