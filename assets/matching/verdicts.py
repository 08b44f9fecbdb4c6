"""The rules: which evidence makes two records one place, which makes them a case for a reviewer.

Precision comes first, since a wrong merge hides a pantry. A merge needs names that agree and a
place that agrees; a telephone number of their own may stand in for either. Everything else that is
close goes on the review list with the question it raises.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from assets.matching.evidence import NEAR_MILES, SAME_PLACE_MILES, Evidence
from assets.matching.name_comparison import NameRelation
from assets.matching.profiles import Flags
from assets.matching.streets import AddressRelation
from assets.matching.type_relations import TypeRelation

# A point further off than this contradicts an equal address.
_CONTRADICTING_MILES = 30.0
# A post-office box is looked up at the post office or in the middle of the town.
_BOX_MILES = 10.0
# Two house numbers this near are one building's, or a park's.
_SPOT_MILES = 0.03
# Of 53,000 shops with points, three stand this near to another of their name in another street.
_ROUND_MILES = 0.05
# Names of one list's pantry and another's that are this much alike need no telephone.
_ALIKE_FROM = 0.85
# Names of which the one has most of the other.
_MIN_SIMILARITY = 0.5
# Names that have fewer words than this in common are of two houses, or two programmes.
_OTHER_BELOW = 0.75


class Verdict(IntEnum):
    DIFFERENT = 0  # never in one cluster
    UNRELATED = 1  # nothing speaks for it, nothing against
    DOUBTFUL = 2
    SAME = 3


UNITS = "same name and street address, different unit or floor"
MOVED = "same name and {shared}, different address: moved, or a second site?"
NAMES = "same address, one name has more words than the other"
KINDS = "same name and address, another service"
TENANTS = "same address and telephone, different names"
NUMBERS = "same name and street, house numbers differ in one figure"
SLIPS = "same name, house number and street name, but another kind of street or direction"
SECOND = "same name and address, one with a number: a second one, or the same?"
LINES = "names alike and same address, different telephones in one list"
TYPES = "same name and address, types that may describe one service"
ADDRESS_MISSING = "same name in one town, a street address is missing"
LONGER = (
    "same telephone and town, one name has more words than the other, a street address is missing"
)
FAR = "same name and address, points far apart"


def judge(e: Evidence, is_unambiguous: Flags) -> NDArray[np.int8]:
    """Return a `Verdict` for every pair. `is_unambiguous`: no second address in town goes by
    that name and both records tell one, if only a post-office box."""
    verdict = np.full(len(e), Verdict.UNRELATED, dtype=np.int8)
    verdict[np.logical_or.reduce([where for where, _ in questions(e)])] = Verdict.DOUBTFUL
    verdict[_is_same(e, is_unambiguous)] = Verdict.SAME
    verdict[_is_different(e)] = Verdict.DIFFERENT
    return verdict


def _is_same(e: Evidence, is_unambiguous: Flags) -> Flags:
    """Return pairs that the evidence proves to be one place."""
    same_type = e.type == TypeRelation.SAME
    # Types that may describe one service need the same words, and a publisher who distinguishes
    # them is right.
    is_one_type = same_type | ((e.name == NameRelation.EXACT) & ~e.is_same_source & ~e.is_mobile)
    # Number 2 next to a name without number: a second one if one list has both, if it drives about
    # or teaches.
    is_second = e.is_numbered_apart & (e.is_same_list | e.is_mobile | e.is_school)
    is_other_line = e.is_same_list & (e.name < NameRelation.EXACT) & e.is_phone_apart
    is_other_line &= ~(e.is_gathered & _is_free_food(e))
    by_address = _is_here(e) & _agree(e) & is_one_type & ~is_second & ~is_other_line
    by_more = _by_longer_name(e) | _by_slip(e) | _by_rest(e, is_unambiguous) | by_line(e)
    is_one_way = same_type | (e.is_free_food & ~e.is_same_list)
    is_same: Flags = by_address | (is_one_way & by_more)
    is_same |= _by_food(e) | _by_corner(e) | _by_stop(e) | by_door(e) | by_hours(e)
    is_same |= same_type & _by_point(e)
    return is_same


def _agree(e: Evidence) -> Flags:
    return np.asarray(e.name >= NameRelation.ALIKE)


def _is_here(e: Evidence) -> Flags:
    """Check for the same door: house, street and, as far as known, unit."""
    is_house = (e.address >= AddressRelation.ALIKE) & ~(e.miles > _CONTRADICTING_MILES)
    is_here: Flags = is_house & ~e.is_unit_apart & ~e.has_rival_units
    return is_here


def _by_longer_name(e: Evidence) -> Flags:
    """Check for a name with additional words where the contact or the named service agrees."""
    # Of a common name ("First Baptist Church") the telephone says whose it is.
    is_telling = e.is_specific | (e.is_phone & e.is_untyped & ~e.is_department & ~e.is_host)
    is_longer = _is_here(e) & (e.name == NameRelation.CONTAINED) & is_telling
    by_contact = e.is_phone | e.is_website
    by_kind = e.is_same_kind & ~e.is_unit_one_sided & ~e.is_phone_apart
    by_name = _is_plainly_longer(e)
    # A list that gives both names means two programs of one house; so does a number in one of them.
    is_two = e.is_school | e.is_same_list | e.is_numbered_apart
    is_same: Flags = is_longer & (by_contact | by_kind | by_name) & ~is_two
    return is_same


def _is_plainly_longer(e: Evidence) -> Flags:
    """Check for a branch, trade or town behind a name of unknown kind, no sign of two places."""
    is_longer = (e.name == NameRelation.CONTAINED) & e.is_specific & e.is_untyped
    is_plain: Flags = is_longer & ~e.is_department & ~e.is_phone_apart
    return is_plain


def by_line(e: Evidence) -> Flags:
    """Check for one telephone of their own at one door, under other names: of free food any names,
    or one that adds a service, else names with telling words in common. Of free food telling words
    will do without a telephone, of unknown kind one name that moved.

    Holds for two records that have no closer partner: see `matching._one_to_one`.
    """
    is_called = e.is_free_food & e.is_phone
    # One list adds whom it serves, or the school it is in; who gives both knows of two.
    is_service = is_called & (e.name == NameRelation.KIND) & ~e.is_same_list
    is_line = _is_here(e) & ((e.name == NameRelation.OTHER) | is_service)
    # A house and its guest behind one switchboard often have a word in common.
    is_named = e.is_specific & ~e.is_host
    # A list that gathers others gives one pantry by its church and by its network.
    is_line &= (~e.is_same_list | is_called) & (~e.is_school | is_service) & ~e.is_mobile
    # A new name: tenants behind one switchboard have websites of their own.
    is_renamed = e.is_untyped & e.is_website & ~e.is_host
    # Of unknown kind, one list leaves out the suite.
    is_door = ~e.is_unit_one_sided | (e.is_untyped & is_named)
    by_phone = e.is_phone & (is_named | e.is_free_food | is_renamed) & is_door
    # Both are the guest, so that no name can be that of the house alone.
    by_food = _is_free_food(e) & (~e.is_phone_apart | (e.similarity >= _ALIKE_FROM))
    is_same: Flags = (is_line & (by_phone | by_food)) | _by_move(e)
    return is_same


def by_door(e: Evidence) -> Flags:
    """Check for free food of one kind at one door where a name is none ("Food Pantry"), or where
    one list gives the programme and another its host: "Bread of Life Food Pantry", "Grace Church".

    Holds for two records that have no other partner at the door: see `matching._one_to_one`.
    """
    is_door = e.is_free_food & _is_here(e) & ~e.is_mobile & ~e.is_school & ~e.is_phone_apart
    is_guest = e.is_guest & ~e.is_same_list & ~e.is_unit_one_sided
    is_guest &= (e.name == NameRelation.OTHER) | (e.name == NameRelation.KIND)
    is_same: Flags = is_door & (e.is_nameless | is_guest)
    return is_same


def by_hours(e: Evidence) -> Flags:
    """Check for free food of one kind that two lists give at one door in the same hours, under
    other names: of a house and its guest each list names one.

    Holds for two records that have no closer partner: see `matching._one_to_one`.
    """
    is_time = e.is_free_food & e.is_hours & _is_here(e) & ~e.is_same_list
    is_same: Flags = is_time & (e.name < NameRelation.CONTAINED) & ~e.is_mobile
    return is_same


def _by_move(e: Evidence) -> Flags:
    """Check for one name with one telephone at two suites of a house, or two streets of a town.

    A pantry may have a second site; a place without a kind in any list is a shop that moved, or has
    a door in either street.
    """
    is_move = (e.address == AddressRelation.DIFFERENT) & ~e.has_kind & ~e.is_host
    is_move |= (e.address >= AddressRelation.ALIKE) & (e.is_unit_apart | e.has_rival_units)
    is_move &= _agree(e) & e.is_phone & e.is_same_area & e.is_specific & e.is_untyped
    is_same: Flags = is_move & ~e.is_same_list & ~e.is_school & ~e.is_numbered_apart
    return is_same


def _is_free_food(e: Evidence) -> Flags:
    """Check for a telling name under which both give free food in one way, at no two units."""
    is_food = e.is_free_food & e.is_specific & ~e.is_mobile & ~e.is_numbered_apart
    is_free_food: Flags = is_food & ~e.is_unit_apart & ~e.has_rival_units
    return is_free_food


def _by_food(e: Evidence) -> Flags:
    """Check for free food of one kind at one door, or in two lists at one a slip away.

    One list writes the congregation, the other the network and the programme as well; one list
    does both only where the telephone is one, or the list was gathered from others.
    """
    is_longer = _is_here(e) & (e.name == NameRelation.CONTAINED)
    is_slip = (e.address == AddressRelation.NEIGHBOUR) & (e.name == NameRelation.EXACT)
    is_moved = (e.address == AddressRelation.DIFFERENT) & e.is_same_street & _agree(e) & e.is_phone
    is_once = is_longer & (~e.is_same_list | e.is_phone | e.is_gathered)
    is_once |= (is_slip | is_moved) & ~e.is_same_list & ~e.is_school
    # Of a common name ("First Baptist Church") the telephone says whose it is.
    is_called = is_longer & e.is_free_food & e.is_phone & ~e.is_unit_one_sided
    is_called &= ~e.is_mobile & ~e.is_school & ~e.is_numbered_apart & ~e.is_same_list
    is_same: Flags = (_is_free_food(e) & is_once) | is_called
    return is_same


def _by_corner(e: Evidence) -> Flags:
    """Check for one name of free food at two house numbers or streets with points of one house.

    A corner house has two addresses, a parish an office and a hall. A list that gives both knows
    of two, unless the telephone is one as well, or the list was gathered from others.
    """
    is_corner = _is_free_food(e) & (e.miles <= NEAR_MILES) & (e.address < AddressRelation.TURNED)
    # Schools of one district differ in a word, which may be that of their street.
    is_district = e.is_phone & (e.similarity == 1) & ~e.is_same_list
    is_corner &= ~e.is_school | is_district
    # Of a spot without a house number, most of the name has to agree.
    is_unknown = e.address == AddressRelation.UNKNOWN
    is_corner &= ~is_unknown | (e.similarity >= _MIN_SIMILARITY)
    is_named = _agree(e) | ((e.name == NameRelation.CONTAINED) & ~e.is_phone_apart)
    is_named |= (e.name == NameRelation.OTHER) & e.is_phone & ~e.is_host
    is_next_door = e.is_same_street & (e.name == NameRelation.CONTAINED)
    is_once = (_agree(e) | is_next_door) & e.is_phone
    is_spot = e.is_same_street & ~e.is_phone_apart
    is_near = is_spot & (e.miles <= _SPOT_MILES)
    # A corner and the house on it; the number may be that of a network.
    is_near |= is_unknown & (e.is_phone | e.is_phone_shared) & (e.miles <= _ROUND_MILES)
    is_twin = is_spot & is_unknown & (e.miles == 0)
    is_once |= _agree(e) & ((is_near & e.is_gathered) | is_twin)
    is_same: Flags = is_corner & is_named & (~e.is_same_list | is_once)
    return is_same


def _by_stop(e: Evidence) -> Flags:
    """Check for a truck that two lists have at one spot: a corner, a street, the next house."""
    is_spot = (e.address != AddressRelation.DIFFERENT) | e.is_same_street
    is_spot &= (e.miles <= NEAR_MILES) & ~e.is_unit_apart
    is_stop = e.is_free_food & e.is_mobile & e.is_specific & (is_spot | _is_here(e))
    is_stop &= (e.name >= NameRelation.CONTAINED) & (e.similarity >= _MIN_SIMILARITY)
    is_stop &= ~e.is_same_list | e.is_gathered
    is_same: Flags = is_stop & ~e.is_phone_apart & ~e.is_numbered_apart
    return is_same


def _by_point(e: Evidence) -> Flags:
    """Check for a name that two lists of unknown kinds have in one street, with points of one
    house: a house number that one of them guessed. A name of two words or more, in any street."""
    is_street = e.is_same_street & (e.miles <= NEAR_MILES)
    is_named = _agree(e) | ((e.name == NameRelation.CONTAINED) & e.is_phone & ~e.is_host)
    is_rare = _agree(e) & (e.similarity >= _ALIKE_FROM) & e.is_two_worded
    is_rare &= e.miles <= _ROUND_MILES
    is_point = e.is_untyped & e.is_specific & ((is_street & is_named) | is_rare)
    is_point &= ~e.is_same_list & ~e.is_school & ~e.is_mobile & ~e.is_numbered_apart
    is_same: Flags = is_point & ~e.is_unit_apart & ~e.has_rival_units & ~e.is_phone_apart
    return is_same


def _by_slip(e: Evidence) -> Flags:
    """Match Street with Avenue, a house with the next, or a street with its new name, where the
    contact or the point shows a slip; N with S only by the point."""
    is_renamed = (e.address == AddressRelation.DIFFERENT) & e.is_same_number
    is_round_the_corner = (e.address == AddressRelation.DIFFERENT) & e.is_phone & e.is_untyped
    is_round_the_corner &= e.miles <= NEAR_MILES
    is_other = is_renamed | is_round_the_corner | (e.address == AddressRelation.NEIGHBOUR)
    is_slip = (e.address == AddressRelation.SLIP) | (is_other & ~e.is_same_list & ~e.is_school)
    is_turned = e.address == AddressRelation.TURNED
    is_named = _agree(e) | (_is_plainly_longer(e) & e.is_phone & ~e.is_host)
    # Of a common name ("First Baptist Church") the telephone says whose it is.
    is_named &= e.is_specific | (e.is_phone & (e.address == AddressRelation.SLIP))
    is_slip_or_turned = (is_slip | is_turned) & is_named & ~e.is_unit_apart
    is_shown = (is_slip & e.is_phone) | (e.miles <= NEAR_MILES)
    is_same: Flags = is_slip_or_turned & is_shown & ~e.is_phone_apart & ~(e.miles > 1)
    return is_same


def _by_rest(e: Evidence, is_unambiguous: Flags) -> Flags:
    """Check pairs without a street address: own telephone, a near point or the only one in town."""
    is_exact = e.name == NameRelation.EXACT
    # A name that many have ("First Baptist Church") is evidence enough with a telephone.
    is_telling = e.is_specific | (is_exact & e.is_phone)
    is_unknown = e.address == AddressRelation.UNKNOWN
    is_open = is_unknown & _agree(e) & is_telling & e.is_same_area
    is_open &= ~e.is_mobile & ~e.is_same_list & ~e.is_unit_apart & ~(e.miles > _BOX_MILES)
    is_only = is_unambiguous & is_exact
    is_longer = is_unknown & (e.name == NameRelation.CONTAINED)
    is_longer &= e.is_specific & e.is_phone & e.is_same_area & e.is_untyped & ~e.has_kind
    is_longer &= ~e.is_same_list & ~e.is_school & ~e.is_numbered_apart & ~e.is_host
    is_near = _is_plainly_longer(e) & is_unknown & ~e.is_same_list & ~e.is_school & ~e.is_mobile
    is_near &= (e.miles <= NEAR_MILES) & ~e.is_unit_apart & ~e.is_numbered_apart
    is_same: Flags = (
        is_longer
        | is_near
        | is_open & (e.is_phone | ((is_only | (e.miles <= NEAR_MILES)) & ~e.is_phone_apart))
    )
    return is_same


def questions(e: Evidence) -> list[tuple[Flags, str]]:
    """Return doubts and the pairs they concern, the most telling first.

    A list that has both records knows of two: within one list only names that agree are asked
    about.
    """
    is_alike = _agree(e)
    is_house = e.address >= AddressRelation.ALIKE
    is_here = is_house & ~e.is_unit_apart
    same_type = e.type == TypeRelation.SAME
    is_same_name = is_alike & e.is_specific & same_type & ~e.is_mobile & ~e.is_same_list
    away = is_same_name & (e.address <= AddressRelation.SLIP) & e.is_same_area
    is_longer = (e.name == NameRelation.CONTAINED) & e.is_specific & same_type
    is_service = (e.name == NameRelation.KIND) & e.is_specific & (e.type >= TypeRelation.COMPATIBLE)
    across = ~e.is_same_list
    is_open = (e.address == AddressRelation.UNKNOWN) & e.is_same_area & across & ~e.is_mobile
    is_other = (e.name == NameRelation.OTHER) | (e.name == NameRelation.CONTAINED)
    return [
        (is_alike & is_house & (e.is_unit_apart | e.has_rival_units) & same_type & across, UNITS),
        (is_alike & is_house & (e.miles > _CONTRADICTING_MILES), FAR),
        (is_alike & is_here & (e.type == TypeRelation.COMPATIBLE) & ~e.is_same_source, TYPES),
        (is_alike & is_here & e.is_numbered_apart & same_type, SECOND),
        (is_alike & is_here & e.is_phone_apart & same_type, LINES),
        (is_here & is_longer, NAMES),
        (is_here & is_service & across, KINDS),
        (is_here & e.is_phone & is_other & same_type & across, TENANTS),
        (is_open & is_longer & e.is_phone & ~e.is_unit_apart, LONGER),
        (away & (e.address == AddressRelation.NEIGHBOUR), NUMBERS),
        (
            away & ((e.address == AddressRelation.SLIP) | (e.address == AddressRelation.TURNED)),
            SLIPS,
        ),
        (
            is_same_name & (e.address == AddressRelation.DIFFERENT) & e.is_phone,
            MOVED.format(shared="telephone"),
        ),
        (
            away & (e.address == AddressRelation.DIFFERENT) & e.is_website,
            MOVED.format(shared="website"),
        ),
        (away & (e.address == AddressRelation.UNKNOWN) & ~e.is_phone_apart, ADDRESS_MISSING),
    ]


def are_compatible(e: Evidence) -> Flags:
    """Check whether pairs without evidence may join a group that a third record proves."""
    is_possible = (e.address >= AddressRelation.ALIKE) | (e.address == AddressRelation.UNKNOWN)
    # A corner house: the third record has the point, or the other name, of both.
    is_other_list = ~e.is_same_list | (e.is_gathered & ~e.is_phone_apart)
    is_corner = e.is_free_food & ~(e.miles > NEAR_MILES) & is_other_list
    is_corner |= e.is_free_food & (e.miles <= NEAR_MILES) & e.is_phone
    is_slip = e.is_free_food & (e.address == AddressRelation.NEIGHBOUR) & ~e.is_same_list
    is_possible |= is_corner | is_slip
    # At one door the third has the telephone, or the other name, of both.
    is_other = is_corner & is_other_list & (e.name == NameRelation.OTHER)
    is_named = (e.name >= NameRelation.CONTAINED) | (is_corner & _is_here(e) & ~e.is_mobile)
    is_named |= is_other & (_is_free_food(e) | e.is_nameless)
    is_possible &= is_named & e.is_same_area & ~e.is_unit_apart
    is_possible &= ((e.type == TypeRelation.SAME) | e.is_free_food) & ~(e.miles > _BOX_MILES)
    are_possible: Flags = is_possible & ~_is_different(e) & ~e.has_rival_units
    return are_possible


def are_compatible_by_door(e: Evidence) -> Flags:
    """Check whether free food may join a group that a record at its own door may.

    What one list gives apart stays apart where it has two services, two telephones, or two spots.
    """
    is_two = (e.name < NameRelation.ALIKE) & e.is_phone_apart & ~e.is_gathered
    is_two |= (e.name == NameRelation.KIND) | ((e.miles > NEAR_MILES) & ~e.is_phone)
    is_far = (e.miles > SAME_PLACE_MILES) & (e.address < AddressRelation.ALIKE)
    may_join: Flags = e.is_free_food & ~(is_two & e.is_same_list) & ~is_far & ~_is_different(e)
    return may_join


def _is_different(e: Evidence) -> Flags:
    is_conflict = (e.type == TypeRelation.APART) | (e.name == NameRelation.CONFLICT)
    is_next_door = e.is_unit_apart & (e.name < NameRelation.ALIKE)
    # Two programmes of one house: other names and days, and two telephones or seniors in one alone.
    is_other = (e.name < NameRelation.CONTAINED) & e.is_phone_apart & (e.common < _OTHER_BELOW)
    is_other |= (e.name < NameRelation.ALIKE) & e.is_for_some & ~e.is_phone
    is_different: Flags = e.is_other_state | is_conflict | is_next_door
    is_different |= is_other & e.is_other_days
    return is_different


def strength(e: Evidence) -> NDArray[np.int64]:
    """Return a merge's strength: equal types, then names, address, contact, nearness."""
    points = 100 * e.name.astype(np.int64) + 10 * e.address
    points += 1000 * (e.type == TypeRelation.SAME)
    points += 5 * e.is_phone + 3 * e.is_website + 2 * (e.miles <= NEAR_MILES)
    return 1000 * points + np.rint(100 * e.similarity).astype(np.int64)


def reason(e: Evidence, pair: int) -> str:
    """Return the merge in plain words: "same phone, name 0.96 alike, 0.01 miles apart"."""
    parts = []
    if e.address[pair] == AddressRelation.SAME:
        parts.append("same street address")
    elif e.address[pair] == AddressRelation.ALIKE:
        parts.append("same house number in a street spelled alike")
    elif e.address[pair] >= AddressRelation.TURNED:
        parts.append("same house number, street name but for its suffix or direction")
    elif e.address[pair] == AddressRelation.NEIGHBOUR:
        parts.append("same street, house number but for one figure")
    elif e.is_same_number[pair]:
        parts.append("same house number, another street name")
    elif e.is_same_street[pair] and e.address[pair] == AddressRelation.DIFFERENT:
        parts.append("same street")
    if e.is_phone[pair]:
        parts.append("same phone")
    if e.is_website[pair]:
        parts.append("same website")
    is_equal = e.name[pair] == NameRelation.EXACT or e.similarity[pair] >= 0.995
    parts.append("same name" if is_equal else f"name {e.similarity[pair]:.2f} alike")
    if e.address[pair] == AddressRelation.UNKNOWN:
        parts.append("same town, no other street address to compare")
    if not np.isnan(e.miles[pair]):
        parts.append(f"{e.miles[pair]:.2f} miles apart")
    return ", ".join(parts)
