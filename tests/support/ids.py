"""Ids of places as the identity register gives them: 53 bits."""

_BASE = 8_612_094_375_501_200


def place_id(number: int) -> int:
    """Return an id of real size; equal numbers give equal ids."""
    return _BASE + number


SEVEN, EIGHT, NINE = map(place_id, (7, 8, 9))
