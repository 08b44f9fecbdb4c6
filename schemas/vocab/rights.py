"""Uses that a release may make of a source, and their grounds."""

from typing import Literal, get_args

# publish: all fields. facts_only: name, address, telephone and hours, with attribution and link.
# match_only: nothing is published, but the rows help to recognize one place in several lists.
# withhold: the rows are read and counted, nothing else.
Use = Literal["publish", "facts_only", "match_only", "withhold"]
# Widest first.
USES: tuple[Use, ...] = get_args(Use)
PUBLISHED_USES = frozenset({"publish", "facts_only"})
Basis = Literal["licence", "permission", "rule", "withdrawal"]
BASES: tuple[Basis, ...] = get_args(Basis)
