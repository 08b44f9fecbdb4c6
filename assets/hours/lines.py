"""Hours line by line, for the command `larder hours` and for measuring the reader."""

from collections.abc import Iterable, Iterator

from assets.hours.parse import parse_hours
from schemas.hours.schedule import schedules_as_json


def hours_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield for each text a JSON array of schedules, or `null` where it cannot be read; no line
    ends.
    """
    for line in lines:
        schedules = parse_hours(line.rstrip("\r\n")).schedules
        yield (schedules_as_json(schedules) if schedules else None) or "null"
