"""One search of the finder's pages: its place, its choices, its results and its form."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from schemas.api.area_help import AreaContact
from schemas.vocab.resource_types import RESOURCE_TYPES
from serving.places.view import PlaceView
from serving.render.words import Language
from serving.search.answered_needs import answer_needs
from serving.search.area_help import contacts_for, contacts_of_state
from serving.search.filter import Counts
from serving.search.find import Order, Page, Query, choose_types, find
from serving.search.language.landmarks import ListingName
from serving.search.language.reading import Reading
from serving.search.plain_search import questions_of_alike
from serving.search.start import Start
from serving.site.choices import SENIOR_BOX, Choices, choices_of_reading, list_missed
from serving.site.filter_form import Chip, Counter, Group, chips_of, groups_of
from serving.site.site import PER_PAGE, SitePlace, SiteSearch, find_places_by_name, search_page
from warehouse.index.reader import OpenRelease

_OFFICE = "snap_office"


def _program_of(state: str | None) -> list[AreaContact]:
    """Return a state's application page for SNAP, if a dated fact states it."""
    contacts = contacts_of_state(state) if state else []
    return [one for one in contacts if one.kind == "food_program"]


@dataclass
class Finder:
    """A search as its page shows it.

    `is_understood`: a question made some of the choices. `missed`: the parts of it that no choice
    expresses. `chips` are the choices above the list. `none_near`: kinds of places in it of which
    none is near. `applies`: it asks about getting SNAP or WIC. `guides`: pages on its other
    subjects, each with the name of its message. `together` counts the places by what is known of
    all choices. `problem` says why there is no place; `state` is the name of a whole state that the
    text is; `suggestions` are places that may be meant; `question` was understood without a place.
    `listings`: places that have the text as their name. `alike`: names that a misspelled one may
    mean, each with the question for it. `needs`: answers to needs that places with food do not
    meet, dangers first; places are listed with them only if the question `seeks_food`.
    """

    text: str
    mode: str
    choices: Choices = field(default_factory=lambda: Choices({}))
    place: SitePlace | None = None
    results: SiteSearch | None = None
    chips: list[Chip] = field(default_factory=list)
    is_understood: bool = False
    none_near: list[str] = field(default_factory=list)
    applies: bool = False
    guides: list[tuple[str, str]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    together: Counts | None = None
    problem: str | None = None
    state: str = ""
    question: str = ""
    suggestions: tuple[str, ...] = ()
    listings: list[PlaceView] = field(default_factory=list)
    name: str = ""
    banks: list[AreaContact] = field(default_factory=list)
    alike: list[tuple[str, str]] = field(default_factory=list)
    needs: list[str] = field(default_factory=list)
    seeks_food: bool = True

    @property
    def types_mode(self) -> str | None:
        return None if self.mode == "all" else self.mode

    def read(
        self,
        release: OpenRelease,
        place: SitePlace,
        has_mode: bool,
        now: datetime,
        language: Language,
    ) -> None:
        """Turn a question into a place and choices. Choices of the address go before its own."""
        self.place, reading = place, place.reading
        if reading is None:
            return
        self.guide(reading, language)
        self.answer(release, reading, place.start)
        question_choices = choices_of_reading(release, reading, place.start, now, language)
        choices, self.missed = question_choices.choices, question_choices.missed
        if not has_mode:
            # Questions about SNAP get its offices, not a list of stores.
            wants_stores = reading.wants.mode != "snap" or "type" in choices.values
            is_list = wants_stores or not (self.applies or _OFFICE in question_choices.missing)
            self.mode = reading.wants.mode if is_list else "free"
            if len(reading.wants.modes) > 1:
                self.mode = "all"
        self.none_near = [
            RESOURCE_TYPES[kind].labels[language] for kind in question_choices.missing
        ]
        if _OFFICE in question_choices.missing and not reading.needs:
            self.banks = _program_of(place.start.location.state)
        self.is_understood = bool(choices.values)
        self.choices = Choices(choices.values | self.choices.values, self.choices.unread)
        if choices.values or self.mode != "free":
            zip_code = place.start.location.zip
            self.text = zip_code if zip_code and zip_code in place.name else place.name

    def answer(self, release: OpenRelease, reading: Reading, start: Start | None) -> None:
        """Answer the needs of a question that places with food do not meet."""
        answered = answer_needs(release, reading, start, "")
        self.needs = [*answered.sentences, *filter(None, [answered.question])]
        self.banks += answered.contacts
        self.seeks_food = reading.seeks_food
        if not self.seeks_food:
            self.missed = []

    def find_named(
        self, release: OpenRelease, name: ListingName, now: datetime, language: Language
    ) -> None:
        """Find the places with a name in the question. If the town is part of the name, there is no
        other place. Safe for threads."""
        start = self.place.start if self.place else None
        matches, self.listings = find_places_by_name(release, name, start, now, language)
        self.banks += matches.banks
        self.alike = questions_of_alike(matches, self.place.reading if self.place else None)
        is_missed = name.is_sure and not self.banks
        self.name = matches.text if self.listings or is_missed or self.alike else ""
        if self.name:
            # The name of a listed place is no landmark.
            self.missed = [
                one
                for one in self.missed
                if self.name not in one and one.strip("“”«»") not in self.name
            ]
        if self.listings and matches.start is None:
            self.place = None

    def guide(self, reading: Reading, language: Language, *, has_place: bool = True) -> None:
        """Note the parts of a question that pages answer better than a list, and those without an
        answer.

        Without a place, a named program alone also gets its page.
        """
        wants = reading.wants
        self.missed = list_missed(reading, language)
        self.applies = wants.intent == "apply" or not (has_place or wants.mode == "free")
        if self.applies and "snap" in wants.modes:
            self.banks = _program_of(reading.where.state)
        disasters = "/".join(filter(None, ("/disasters", reading.where.state)))
        guides = {
            "senior_box": ("/commodity-programs", SENIOR_BOX in reading.wishes),
            "run_place": ("/claim", "operator" in wants.topics),
            "sun_bucks": ("/school-meals-eligibility", "sun_bucks" in wants.topics),
            "disasters": (disasters, "disaster" in wants.topics),
        }
        self.guides = [(path, name) for name, (path, is_asked) in guides.items() if is_asked]

    def query(self, page: Page) -> Query:
        """Return the search for some of its results."""
        parameters = self.choices.parameters()
        types = choose_types(self.types_mode, parameters.type)
        radius = parameters.radius if "radius" in self.choices.values else None
        order: Order = "relevance" if parameters.sort == "relevance" else "likely"
        if self.mode == "free" and "sort" not in self.choices.values:
            order = "open_first"
        return Query(types, radius, page, parameters.filters(), order)

    def search(
        self,
        release: OpenRelease,
        place: SitePlace,
        number: int,
        now: datetime,
        language: Language,
    ) -> None:
        """Find the results of a page, and the choices above them. Safe for threads."""
        query = self.query(Page(PER_PAGE, number))
        self.results = search_page(release, place, query, now, language)
        if self.results.area and "delivery" in self.choices.values:
            # Too far for any delivery.
            self.results = replace(self.results, places=[], total=0, pages=0)
        counter = self._counter(release, place, now)
        if self.mode == "free":
            self.chips = chips_of(self.choices, self.text, counter, language)
        if not self.choices.values:
            return
        self.together = counter.together()
        is_answered = self.together.match or self.results.deliveries or self.results.area
        if "delivery" in self.choices.values and not is_answered:
            # No delivery is known nearby: these contacts know more.
            contacts = contacts_for(release, place.start)
            self.banks += [one for one in contacts if one.kind in ("food_bank", "help_line")]

    def count(self, release: OpenRelease, now: datetime, language: Language) -> list[Group]:
        """Return the form of filters, counted around the place if there is one. Safe for
        threads."""
        counter = None
        if self.place and self.seeks_food:
            counter = self._counter(release, self.place, now)
            self.together = counter.together() if self.choices.values else None
        return groups_of(self.choices, self.types_mode, language, counter)

    def _counter(self, release: OpenRelease, place: SitePlace, now: datetime) -> Counter:
        query = self.query(Page(0))
        # Filters may widen the search; choices are counted at its first radius.
        near = find(release, place.start, Query(query.types, query.radius, Page(0)), now).radius
        return Counter(release, place.start, self.choices, self.types_mode, near, now)
