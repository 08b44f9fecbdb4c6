"""The finder's filters: a question becomes choices, each counted as the API counts it."""

import pytest

from schemas.attributes import CODE_LISTS, TRUTHS
from serving.search.parameters import SearchParameters
from serving.site import site
from serving.site.choices import NAMES, choices_of_address
from tests.support.cases import cases
from tests.support.pages import HTML, read_page

QUESTION = "Monday before 10, no ID, Spanish spoken, near 10002"


def _cards(root) -> list[str]:
    return [a.get("href") for h in root.iter(f"{HTML}h2") for a in h.iter(f"{HTML}a")]


@pytest.mark.parametrize(
    ("address", "choices"),
    [
        ("food=halal&food=vegan", {"food": "halal,vegan"}),
        ("food=halal%2Cvegan", {"food": "halal,vegan"}),
        ("day=&after=&radius=&age=&serves_zip=", {}),
        ("day=monday&before=10:00", {"day": "monday", "before": "10:00"}),
        (
            "days=monday&days=thursday+15:00-&after=&before=10:00",
            {"days": "monday,thursday 15:00-", "before": "10:00"},
        ),
        ("open_at=2026-11-24T17:00", {"open_at": "2026-11-24T17:00"}),
        ("walk_in=true&no_id=false", {"walk_in": "true"}),
        ("type=food_pantry&type=food_bank", {"type": "food_pantry,food_bank"}),
        ("radius=500&age=120&serves_zip=44203", None),
        ("confirmed_within=3650", {"confirmed_within": "3650"}),
        ("sort=distance&utm_source=x", {"sort": "distance"}),
    ],
)
def test_choices_are_read_from_an_address(address, choices) -> None:
    parsed = choices_of_address(address)
    assert parsed.unread == ()
    if choices is not None:
        assert parsed.values == choices
    assert choices_of_address(parsed.address("10002", "free")).values == parsed.values


@pytest.mark.parametrize(
    "address",
    [
        "day=funday",
        "days=funday",
        "after=25:00",
        "age=121",
        "confirmed_within=0",
        "confirmed_within=3651",
        "age=-1",
        "radius=501",
        "radius=nan",
        "food=gravel",
        "type=castle",
        "open_now=yes",
        "open_at=2026-02-30T17:00",
        "open_at=2026-11-24",
        "serves_zip=4420",
        "sort=price",
        "language=klingon",
    ],
)
def test_invalid_choices_are_dropped_by_name(client, address) -> None:
    parsed = choices_of_address(address)
    assert (parsed.values, parsed.unread) == ({}, (address,))
    assert client.get(f"/api/resources/search?zip=10002&{address}").status_code == 400
    answer = client.get(f"/es/search?q=10002&{address}")
    assert answer.status_code == 200
    assert address in answer.text


@pytest.mark.parametrize(
    "filters",
    [
        "no_id=true",
        "language=es&day=monday&before=10:00",
        "days=monday,thursday 15:00-&before=10:00&include_unknown=true",
        "food=groceries&radius=5",
        "include_unknown=true&wheelchair=true&audience=seniors",
        "sort=relevance&type=food_pantry",
        "age=70&serves_zip=10002",
        "open_now=true",
    ],
)
def test_the_page_lists_the_results_of_the_api(client, filters) -> None:
    body = client.get(f"/api/resources/search?zip=10002&mode=free&limit=10&{filters}").json()
    order = "" if "sort=" in filters else "&sort=distance"
    root = read_page(client.get(f"/search?q=10002&{filters}{order}"))
    assert _cards(root) == [f"/place/{record['id']}" for record in body["resources"]]


@pytest.mark.parametrize(
    ("question", "choices"),
    [
        (QUESTION, {"no_id": "true", "language": "es", "day": "monday", "before": "10:00"}),
        (
            "Thursday after 3 or Saturday, no ID, 10002",
            {"no_id": "true", "days": "thursday 15:00-,saturday"},
        ),
        ("halal food delivery near 10002", {"food": "halal", "delivery": "true"}),
        ("kosher food 10002 Friday before sundown", {"food": "kosher", "day": "friday"}),
    ],
)
def test_a_question_becomes_choices_that_can_be_removed(client, question, choices) -> None:
    root = read_page(client.get("/search", params={"q": question}))
    (chosen_list,) = [e for e in root.iter(f"{HTML}ul") if e.get("class") == "chosen"]
    links = [a.get("href") for a in chosen_list.iter(f"{HTML}a")]
    assert all("q=10002" in link for link in links)
    first = choices_of_address(links[0].partition("?")[2]).values
    assert {k: v for k, v in first.items() if k in choices}.items() <= choices.items()
    assert len(set(choices) - set(first)) <= 1
    assert "include_unknown" in first
    for link in links:
        assert client.get(link).status_code == 200


def test_a_time_counted_from_now_becomes_an_hour(client) -> None:
    answer = client.get("/search", params={"q": "food in two hours 10002"})
    (chosen_list,) = [e for e in read_page(answer).iter(f"{HTML}ul") if e.get("class") == "chosen"]
    links = [a.get("href") for a in chosen_list.iter(f"{HTML}a")]
    choices = [choices_of_address(link.partition("?")[2]).values for link in links]
    assert any("after" in one for one in choices)
    assert "in two hours”" not in answer.text


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("pantry on the bus line with parking, 10002", "bus"),
        ("need cribs 10002", "“cribs”"),
        ("Thanksgiving dinner 10002", "a holiday meal (we do not know who gives one"),
        ("how do I apply for food stamps 10002", "mybenefits.ny.gov"),
        ("hurricane food help 10002", "/disasters/NY"),
        ("I run this pantry and we are closed today 10002", "/claim"),
        ("SUN Bucks 10002", "/school-meals-eligibility"),
    ],
)
def test_other_answers_are_above_the_list(client, question, sentence) -> None:
    text = client.get("/search", params={"q": question}).text
    above = text.partition("<main")[2].partition('class="chips"')[0]
    assert sentence in above
    assert "Thursday" not in above


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("我需要食物", "Where should we look"),
        ("I'm hungry", "Where should we look"),
        ("senior food box", "/commodity-programs"),
        ("aplicar para estampillas en Texas", "yourtexasbenefits.com"),
    ],
)
def test_a_question_without_a_place_is_partly_answered(client, question, sentence) -> None:
    answer = client.get("/search", params={"q": question})
    assert answer.status_code == 404
    assert sentence in answer.text


@pytest.mark.parametrize("path", ["/filters", "/filters?q=10002", "/es/filters?q=10002&no_id=true"])
def test_the_form_has_every_parameter_of_the_search(client, path) -> None:
    root = read_page(client.get(path))
    field_names = {e.get("name") for tag in ("input", "select") for e in root.iter(f"{HTML}{tag}")}
    # One day is a choice of several.
    assert set(NAMES) - {"day"} | {"q", "mode"} <= field_names
    assert set(SearchParameters.__dataclass_fields__) - field_names <= {
        "day",
        "limit",
        "page",
        "explain",
    }
    for one in (*TRUTHS, *CODE_LISTS):
        label = one.filter.label.es if path.startswith("/es") else one.filter.label.en
        assert label in "".join(root.itertext())
    # A choice that cannot answer says so.
    if path == "/filters?q=10002":
        assert "not known for any place here" in "".join(root.itertext())


def test_an_age_of_a_confirmation_is_counted_and_chosen(client) -> None:
    address = "/api/resources/search?zip=10002&mode=free&radius=25&confirmed_within=90"
    total = client.get(address).json()["total_available"]
    page = client.get("/filters?q=10002&confirmed_within=90").text
    assert f"selected>in the last 90 days: {total} yes, " in page
    assert "Confirmed in the last 7 days" in client.get("/search?q=10002&confirmed_within=7").text
    assert "Confirmed in the last 1 day " in client.get("/search?q=10002&confirmed_within=1").text


def test_a_question_without_a_place_stays_until_one_is_given(client) -> None:
    page = client.get("/es/search", params={"q": "abierto el lunes, sin identificación"})
    assert page.status_code == 404
    (hidden,) = [e for e in read_page(page).iter(f"{HTML}input") if e.get("name") == "question"]
    then = client.get("/es/search", params={"q": "10002", "question": hidden.get("value")})
    assert then.status_code == 200
    assert "day=monday" in then.text
    assert "no_id=true" in then.text


@cases(
    "form_data, address",
    {
        "nothing chosen": ("q=10002&mode=free&radius=&serves_zip=&sort=", "q=10002"),
        "some choices": (
            "q=10002&mode=snap&radius=&age=&day=monday&after=&before=10%3A00&sort=relevance",
            "q=10002&mode=snap&day=monday&before=10%3A00&sort=relevance",
        ),
        "several of one": (
            "q=New+York,+NY&radius=5&food=halal&food=kosher&age=",
            "q=New+York,+NY&radius=5&food=halal,kosher",
        ),
        "no place": ("q=", ""),
    },
)
@pytest.mark.parametrize("path", ["/search", "/es/search", "/filters"])
def test_a_form_redirects_to_the_address_of_its_choices(client, path, form_data, address) -> None:
    answer = client.get(f"{path}?{form_data}", follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == (f"{path}?{address}" if address else path)
    assert client.get(answer.headers["location"], follow_redirects=False).status_code == 200


def test_a_long_list_shows_its_end(client, monkeypatch) -> None:
    address = "/search?q=10002&mode=all&radius=50"
    total = client.get("/api/resources/search?zip=10002&radius=50").json()["total_available"]
    assert total > 2 * site.PER_PAGE
    assert "This list ends" not in client.get(address).text
    monkeypatch.setattr(site, "MAX_PAGE", 2)
    assert (
        f"This list ends at {2 * site.PER_PAGE} of {total} places."
        in client.get(f"{address}&sort=relevance").text
    )


def test_of_several_days_one_is_enough(client) -> None:
    text = client.get("/search?q=10002&days=monday,saturday").text
    assert "Or: Open on Saturday" in text
    assert "Or: Open on Monday" not in text


def test_links_of_pages_have_the_choices(client) -> None:
    root = read_page(client.get("/search?q=10002&mode=all&include_unknown=true&no_id=true"))
    following = [a.get("href") for a in root.iter(f"{HTML}a") if a.get("rel") == "next"]
    assert all("no_id=true" in link and "include_unknown=true" in link for link in following)
    twin = next(a.get("href") for a in root.iter(f"{HTML}a") if a.get("class") == "lang")
    assert "no_id=true" in twin


DAYS = {
    "most of a week": ("pantry 10002 but not on Mondays", "these days: Tuesday to Sunday ✕", 1),
    "with times": ("Mon-Fri 9-12 near 10002", "Monday to Friday, 9 a.m. to noon ✕", 1),
    "two": ("Tue/Thu 3-6pm 10002", "Or: Open on Thursday, 3 p.m. to 6 p.m. ✕", 2),
    "many papers": ("no proof of address, 10002", "Identification, Photo identification,", 1),
    "at an hour": ("weekdays at 7pm 10002", "Monday to Friday, 7 p.m. ✕", 1),
}


@pytest.mark.parametrize(("question", "label", "count"), DAYS.values(), ids=DAYS)
def test_many_values_of_one_choice_are_one(client, question, label, count):
    root = read_page(client.get("/search", params={"q": question}))
    chosen_list = next(e for e in root.iter(f"{HTML}ul") if e.get("class") == "chosen")
    words = " ".join("".join(chosen_list.itertext()).split())
    assert label in words
    assert words.count("✕") == count


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("tribal food 10002", "within 25 miles of New York, NY 10002: Tribal food program"),
        ("food stamp office 10002", "New York, NY 10002: SNAP office"),
        ("food stamp office 10002", "mybenefits.ny.gov"),
        ("food in New York, NY", "from the middle of New York, NY"),
        ("food 1 5th Ave, New York, NY", "from the middle of New York, NY"),
        ("food within half a mile of 10002", "within 0.5 miles"),
        ("99999", "The ZIP code 99999 is not in our data."),
    ],
)
def test_unmet_wishes_are_named(client, question, sentence):
    root = read_page(client.get("/search", params={"q": question}))
    assert sentence in " ".join("".join(root.itertext()).split())


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("10002", "/zip/10002"),
        ("New York, NY", "/city/NY/new-york"),
        ("pantry with parking in New York, NY", "/city/NY/new-york"),
    ],
)
def test_a_search_links_the_page_of_its_area(client, text, path):
    root = read_page(client.get("/search", params={"q": text}))
    assert path in [a.get("href") for a in root.iter(f"{HTML}a")]


def test_a_search_for_delivery_shows_contacts_first(client):
    text = client.get("/search?q=10002&delivery=true&include_unknown=true").text
    above = text.partition("<main")[2].partition('class="chips"')[0]
    assert "tel:211" in above
    assert (
        "tel:211"
        not in client.get("/search?q=10002")
        .text.partition("<main")[2]
        .partition('class="chips"')[0]
    )


@pytest.mark.parametrize("address", ["10002", "10002&language=ur"])
def test_common_languages_are_always_choices(client, address):
    root = read_page(client.get(f"/filters?q={address}"))
    values = {e.get("value") for e in root.iter(f"{HTML}input") if e.get("name") == "language"}
    assert {"es", "ht", *address.partition("language=")[2].split()} <= values


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("q=10002&food=kosher&include_unknown=true", "<h1", "Show only places that match"),
        ("q=10002&food=kosher", "We know of no place within 500 miles of New", "We list nothing"),
        ("q=food+stamp+office+10002", "<h1", "Example Market"),
        ("q=Salvation+Army", 'name="q"', "Example Market"),
    ],
)
def test_an_empty_list_says_what_is_missing(client, query, shown, hidden):
    text = client.get(f"/search?{query}").text.partition("<main")[2]
    assert shown in text
    assert hidden not in text


def test_a_contact_is_named_once(client):
    text = client.get("/search?q=how+do+I+apply+for+food+stamps+in+82401").text.partition("<main")[
        2
    ]
    contact = "Wyoming Department of Family Services"
    assert text.partition("<footer")[0].count(f"<strong>{contact}</strong>") == 1


@pytest.mark.parametrize(
    ("question", "mode", "selected"),
    [
        ("WIC office in 10002", "free", "wic"),
        ("comida en la escuela 10002", "free", "school"),
        ("WIC office in 10002", "health", "health"),
        ("12 School St, New York, NY 10002", "free", "free"),
    ],
)
def test_a_program_in_a_question_sets_the_kind(client, question, mode, selected):
    root = read_page(client.get("/search", params={"q": question, "mode": mode}))
    field = next(e for e in root.iter(f"{HTML}select") if e.get("name") == "mode")
    marked = [o.get("value") for o in field.iter(f"{HTML}option") if o.get("selected") is not None]
    assert marked in ([selected], [] if selected == "free" else None)
