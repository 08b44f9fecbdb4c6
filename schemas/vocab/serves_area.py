"""Answers to the question of whether a place serves a ZIP code."""

from typing import Literal

ServesArea = Literal["yes", "no", "not_known"]
# A ZIP code may reach into a county or town next to its own: nearer than this, it is not excluded.
MAX_AREA_MILES = 40.0
