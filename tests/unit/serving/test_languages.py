"""Pages in every language: drafts are off by default and marked as drafts."""

import re
from collections.abc import Iterator
from datetime import date

import pytest
from markupsafe import escape

from schemas.catalogues import faults, read_catalogue, template
from schemas.hours.hours_words import hours_in_words
from schemas.hours.schedule import Schedule
from schemas.languages import PUBLISHED, language_of_path, languages, localize
from serving.places.view import distance_words
from serving.render.templates import as_published, list_attributes
from serving.render.words import is_of_finder, page_path, words
from serving.settings import SettingError, read_settings
from tests.support.clients import Client, open_client
from tests.support.pages import HTML, read_page

_CONTROLS = re.compile("[\u200e\u200f\u2066-\u2069]")
DRAFTS = [code for code, one in languages().items() if one.is_draft]
PAGES = (
    *(
        "/",
        "/search",
        "/search?q=10002&mode=all&open_now=true",
        "/filters?q=10002",
        "/urgent?q=10002",
    ),
    *("/place/101", "/place/101/card", "/zip/10002", "/city/NY/new-york", "/county/36061"),
    *(
        "/print/10002",
        "/add",
        "/feedback?id=101",
        "/claim?id=101",
        "/zip/00000",
        "/search?q=Nirgendwo",
    ),
)


@pytest.fixture(scope="module")
def drafts(town, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A service with every draft switched on."""
    file = tmp_path_factory.mktemp("operations") / "operations.sqlite"
    with open_client(town, operations_file=str(file), languages="*") as client:
        yield client


@pytest.mark.parametrize("language", [code for code in languages() if code not in PUBLISHED])
def test_a_catalogue_has_every_message_of_the_finder_with_its_places(language: str) -> None:
    assert faults(read_catalogue(language)) == []


@pytest.mark.parametrize(
    ("context", "text", "fault"),
    [
        ("site.need", "", "site.need 'What do you need?': missing"),
        ("layout.run_by", "{nom}", "has ['nom'], English has ['name']"),
        ("site.nothing", "x", "not a message of the finder, or its English has changed"),
        ("place.distance", ("{miles} a", ""), "a plural form is missing"),
    ],
)
def test_faults_of_a_catalogue_are_named(context: str, text: object, fault: str) -> None:
    catalogue = template()
    for message in catalogue:
        is_one = isinstance(message.id, str)
        message.string = message.id if is_one else tuple(message.id)
    assert faults(catalogue) == []
    message = next((m for m in catalogue if m.context == context), None)
    if message is None:
        catalogue.add("Nothing", str(text), context=context)
    else:
        message.string = text
    assert any(fault in one for one in faults(catalogue))


@pytest.mark.parametrize("language", DRAFTS)
def test_drafts_are_off_by_default(client, drafts, language: str) -> None:
    path = localize("/search", language)
    assert client.get(path).status_code == 404
    assert f'href="{path}"' not in client.get("/search").text
    text = drafts.get(path).text
    assert words("layout", language).draft in text
    assert f'href="{path}"' in drafts.get("/search").text
    assert words("layout", "en").draft not in drafts.get("/search").text


@pytest.mark.parametrize("language", DRAFTS)
def test_a_page_that_a_draft_lacks_is_linked_in_english(drafts, language: str) -> None:
    text = drafts.get(localize("/zip/10002", language)).text
    name, note = (
        words("areas", language).steps_links["snap-calculator"],
        words("layout", language).in_english,
    )
    assert f'<a href="/snap-calculator" hreflang="en">{name}</a> ({note})' in text
    assert words("layout", "es").in_english not in drafts.get("/es/zip/10002").text


@pytest.mark.parametrize("path", PAGES)
def test_every_page_of_the_finder_exists_in_every_language(drafts, path: str) -> None:
    english = drafts.get(path)
    for language in DRAFTS:
        answer = drafts.get(localize(path, language))
        assert answer.status_code == english.status_code, language
        assert answer.headers["content-language"] == language
        html = read_page(answer)
        direction = languages()[language].direction
        assert (html.get("lang"), html.get("dir") or "ltr") == (language, direction)


@pytest.mark.parametrize("language", ["es", *DRAFTS])
def test_every_place_is_listed_by_its_published_name(drafts, language: str) -> None:
    records = drafts.get("/api/resources/search?zip=10002&limit=100").json()["resources"]
    # "Heap 0" to "Heap 119" differ in their number alone: one stands for all.
    by_name = {record["name"].rstrip("0123456789"): record for record in records}
    assert len(by_name) > 5
    direction = ' dir="ltr"' if languages()[language].direction == "rtl" else ""
    for record in by_name.values():
        text = drafts.get(localize(f"/place/{record['id']}", language)).text
        # "Heap 0" may be of any language.
        marked = ("" if record["name"].startswith("Heap ") else ' lang="en"') + direction
        name = escape(record["name"])
        assert f"<h1>{f'<span{marked}>{name}</span>' if marked else name}</h1>" in text


PUBLISHED_TEXTS = {
    "English": ("First Baptist Church Food Pantry", "es", ' lang="en"'),
    "English on its own page": ("First Baptist Church Food Pantry", "en", ""),
    "Spanish": ("Iglesia de Dios Pentecostal", "en", ' lang="es"'),
    "Spanish on its own page": ("Iglesia de Dios Pentecostal", "es", ""),
    "both": ("Iglesia Nueva Vida Food Pantry", "es", ""),
    "neither": ("Vision Urbana", "es", ""),
    "places": ("San Diego, La Mesa", "en", ""),
    "neither, from right to left": ("Vision Urbana", "ar", ' dir="ltr"'),
    "Spanish, from right to left": ("Nuestra Casa", "ar", ' lang="es" dir="ltr"'),
}


@pytest.mark.parametrize(
    ("text", "language", "attributes"), PUBLISHED_TEXTS.values(), ids=PUBLISHED_TEXTS
)
def test_texts_are_marked_where_their_words_show_another_language(text, language, attributes):
    assert list_attributes(text, language) == attributes
    span = f"<span{attributes}>{text}</span>" if attributes else text
    assert as_published(text, language) == span


@pytest.mark.parametrize("path", PAGES)
def test_every_english_name_on_a_spanish_page_is_marked(drafts, path: str) -> None:
    records = drafts.get("/api/resources/search?zip=10002&limit=100").json()["resources"]
    names = {record["name"] for record in records if not record["name"].startswith("Heap ")}
    assert len(names) > 5
    main = read_page(drafts.get(localize(path, "es"))).find(f".//{HTML}main")
    texts = main.xpath(".//text()[not(parent::*[@lang='en']) and not(ancestor::*[@lang='en'])]")
    unmarked = [text for text in texts if any(name in text for name in names)]
    assert unmarked == []


@pytest.mark.parametrize(
    ("path", "language", "expected"),
    [
        ("/search?q=10002", "en", "/search?q=10002"),
        ("/search?q=10002", "es", "/es/search?q=10002"),
        ("/search?q=10002", "zh-Hans", "/zh-Hans/search?q=10002"),
        ("/place/5", "zh-Hans", "/zh-Hans/place/5"),
        ("/", "zh-Hans", "/zh-Hans/"),
        ("/benefits", "es", "/es/benefits"),
        ("/benefits", "zh-Hans", "/benefits"),  # documents are in English and Spanish
    ],
)
def test_links_have_the_language_of_existing_pages(path: str, language: str, expected: str) -> None:
    assert page_path(path, language) == expected
    assert language_of_path(expected) == (
        language if is_of_finder(path) else language_of_path(expected)
    )


SATURDAY = Schedule("09:00", "12:00", "MONTHLY", "2SA,-1SA", description="by appointment")


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("zh-Hans", "每月的第二个和最后一个星期六，09:00 至 12:00，需预约。"),
        ("vi", "Thứ Bảy lần thứ hai và cuối cùng trong tháng, 09:00 đến 12:00, cần hẹn trước."),
        ("ht", "Dezyèm ak dènye samdi nan mwa a, 09:00 rive 12:00, sou randevou."),
        ("ru", "Суббота (2-й раз и последний раз в месяце), с 09:00 до 12:00, по записи."),
        ("ar", "السبت الثاني والأخير من الشهر، من 9:00 ص إلى 12:00 م، بموعد."),
    ],
)
def test_hours_are_in_the_words_of_each_language(language: str, expected: str) -> None:
    hours = hours_in_words([SATURDAY], date(2026, 11, 24))
    assert hours is not None
    assert _CONTROLS.sub("", hours[language]) == expected


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "1 mile away, 2 miles away, 5 miles away, 1.5 miles away"),
        ("es", "a 1 milla, a 2 millas, a 5 millas, a 1.5 millas"),
        ("ru", "1 миля, 2 мили, 5 миль, 1.5 мили"),
    ],
)
def test_plural_forms_follow_the_language(language: str, expected: str) -> None:
    assert ", ".join(distance_words(n, language) for n in (1, 2, 5, 1.5)) == expected


def test_a_setting_with_an_unknown_language_stops_the_start() -> None:
    assert read_settings({"LARDER_LANGUAGES": "zh-Hans"}).languages == "zh-Hans"
    with pytest.raises(SettingError, match="LARDER_LANGUAGES: 'xx' is not one of en, es"):
        read_settings({"LARDER_LANGUAGES": "xx"})


def test_a_mark_of_a_list_stays_on_its_side(drafts) -> None:
    text = drafts.get("/ar/place/102").text
    assert re.search(r'<li><span[^>]* dir="ltr">hot meals</span></li>', text)
