"""Test the plugin on a real WordPress with the real service: pages, settings, faults, removal.

The service stops and starts on one port: the plugin meets a directory that does not answer.
"""

import json
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import html5lib
import httpx
import pytest

from tests.support.http_servers import QuietHandler, serving
from tests.support.server import free_port, running_service
from tests.support.town import write_town
from tests.support.wordpress import (
    ADMINISTRATOR,
    READER,
    WordPress,
    mariadb_server,
    missing_wordpress,
    running_wordpress,
    unpack_wordpress,
)

PLUGIN, PAGE = (
    "food-directory/food-directory.php",
    "/wp-admin/options-general.php?page=food-directory",
)
SPANISH_BLOCK = '<!-- wp:food-directory/places {"zip":"10002","lang":"es","limit":2} /-->'
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(missing_wordpress() is not None, reason=missing_wordpress() or ""),
]


class Directory:
    """The service at a fixed address, which can stop and start."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._port, self._running = folder, free_port(), ExitStack()
        self.address = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        variables = {
            "LARDER_PORT": str(self._port),
            "LARDER_OPERATIONS_FILE": str(self._folder / "operations.sqlite"),
            "LARDER_BASE_URL": self.address,
        }
        self._running.enter_context(running_service(self._folder, **variables))

    def stop(self) -> None:
        self._running.close()


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Directory]:
    folder = tmp_path_factory.mktemp("directory")
    write_town(folder)
    directory = Directory(folder)
    directory.start()
    yield directory
    directory.stop()


@pytest.fixture(scope="module")
def site(directory: Directory) -> Iterator[WordPress]:
    """A site with the service's plugin, active and configured."""
    folder = Path(tempfile.mkdtemp(prefix="wp"))  # short, because names of sockets are limited
    try:
        reason = unpack_wordpress(folder / "site")
        if reason is not None:
            pytest.skip(reason)
        with mariadb_server(folder) as socket, running_wordpress(folder / "site", socket) as site:
            archive = httpx.get(f"{directory.address}/embed/food-directory.zip")
            assert archive.headers["content-type"] == "application/zip"
            with zipfile.ZipFile(BytesIO(archive.content)) as files:
                files.extractall(site.folder / "wp-content/plugins")
            assert (
                site.php(
                    "require_once ABSPATH . 'wp-admin/includes/plugin.php'; return activate_plugin($v['name']);",
                    name=PLUGIN,
                )
                is None
            )
            yield site
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _as_installed(site: WordPress, directory: Directory) -> Iterator[None]:
    """Start with the usual settings and no stored answers; fail if PHP complained of our files."""
    _set(site, address=directory.address, zip="10002")
    _forget(site)
    yield
    assert site.complaints("food-directory") == []


def _set(site: WordPress, **settings: Any) -> None:
    site.php(
        "update_option('food_directory_settings', $v['settings']); return true;", settings=settings
    )


def _forget(site: WordPress, names: str = "food_directory_") -> None:
    site.php(
        "foreach ($GLOBALS['wpdb']->get_col($GLOBALS['wpdb']->prepare(\"SELECT option_name FROM {$GLOBALS['wpdb']->options} WHERE option_name LIKE %s\", '%_transient_%' . $v['names'] . '%')) as $name) { delete_option($name); } return true;",
        names=names,
    )


def _age_answers(site: WordPress, seconds: int) -> int:
    """Make stored answers older by some seconds; return their number."""
    return int(
        site.php(
            "$n = 0; foreach ($GLOBALS['wpdb']->get_col(\"SELECT option_name FROM {$GLOBALS['wpdb']->options} WHERE option_name LIKE '\\_transient\\_food\\_directory\\_kept%'\") as $name) { $kept = get_option($name); $kept['asked_at'] -= $v['seconds']; update_option($name, $kept); $n++; } return $n;",
            seconds=seconds,
        )
    )


def _listing(text: str) -> ElementTree.Element:
    """Return the plugin's element of a page."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    elements = [e for e in tree.iter("div") if "food-directory" in e.get("class", "").split()]
    assert len(elements) == 1
    return elements[0]


def _text_of(element: ElementTree.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def _texts_of(element: ElementTree.Element, name: str) -> list[str]:
    return [
        _text_of(e)
        for e in element.iter()
        if f"food-directory__{name}" in e.get("class", "").split()
    ]


# ---------------------------------------------------------------- pages


def test_a_shortcode_lists_the_nearest_places(site: WordPress, directory: Directory) -> None:
    listing = _listing(site.read(site.page('[food_directory zip="10002" mode="free" limit="3"]')))
    assert _text_of(next(listing.iter("h2"))) == "Free food near New York, NY 10002"
    assert _texts_of(listing, "name") == [
        "Example Pantry East",
        'Kitchen "Señor" <b>',
        "Example Bank",
    ]
    first = next(e for e in listing.iter("li"))
    assert _texts_of(first, "where") == ["0.7 miles away · Food pantry"]
    assert _texts_of(first, "chip") == ["Open"]
    assert _texts_of(first, "state")[0].startswith("Open as of ")
    assert _texts_of(first, "hours") == ["Hours as published: Always"]
    assert _texts_of(first, "age")[0].startswith("Hours confirmed ")
    links = [e.get("href", "") for e in first.iter("a")]
    assert links[:2] == [f"{directory.address}/place/101", "tel:+12125550101"]
    assert links[2].startswith(
        "https://www.google.com/maps/dir/?api=1&destination=1+Example+Street"
    )
    assert _texts_of(listing, "provider")[0].startswith("Listings by Open Larder (asked ")


def test_a_block_lists_places_in_its_own_language(site: WordPress) -> None:
    text = site.read(site.page(SPANISH_BLOCK))
    listing = _listing(text)
    assert listing.get("lang") == "es"
    assert _text_of(next(listing.iter("h2"))) == "Comida gratis cerca de New York, NY 10002"
    assert _texts_of(listing, "where")[0] == "a 0.7 millas · Despensa de alimentos"
    assert "wp-block-food-directory-places" in text
    assert _texts_of(listing, "doubt")[-1].startswith(
        "La dirección no está"
    ) or "llame" in _text_of(listing)


def test_a_spanish_site_needs_no_option(site: WordPress) -> None:
    address = site.page("[food_directory]")
    # WordPress accepts only languages with a file; any file will do.
    plugin = site.folder / "wp-content/plugins/food-directory"
    shutil.copy(
        plugin / "languages/food-directory-es.mo", site.folder / "wp-content/languages/es_MX.mo"
    )
    site.php("update_option('WPLANG', 'es_MX'); return true;")
    try:
        listing = _listing(site.read(address))
        english = _listing(site.read(site.page('[food_directory lang="en"]')))
    finally:
        site.php("update_option('WPLANG', ''); return true;")
    assert _text_of(next(listing.iter("h2"))) == "Comida gratis cerca de New York, NY 10002"
    assert listing.get("lang") is None
    assert (english.get("lang"), _text_of(next(english.iter("h2")))) == (
        "en",
        "Free food near New York, NY 10002",
    )


def test_a_list_loads_nothing_from_the_directory(site: WordPress, directory: Directory) -> None:
    tree = html5lib.parse(site.read(site.page("[food_directory]")), namespaceHTMLElements=False)
    files = [
        e.get("src") or e.get("href")
        for e in tree.iter()
        if e.tag in {"script", "img", "iframe", "link"}
    ]
    assert not [address for address in files if address and address.startswith(directory.address)]


def test_a_widget_is_a_frame(site: WordPress, directory: Directory) -> None:
    listing = _listing(
        site.read(site.page('[food_directory view="widget" theme="dark" lang="es" limit="3"]'))
    )
    frame = next(listing.iter("iframe"))
    address = frame.get("src", "")
    assert (
        address
        == f"{directory.address}/embed/widget?zip=10002&mode=free&theme=dark&limit=3&lang=es"
    )
    assert "Comida cerca de New York" in httpx.get(address).text


@pytest.mark.parametrize(
    ("zip_code", "city"),
    {
        "a ZIP code": ("99546", "Adak"),
        "none": ("", "New York"),
        "too short": ("995", "New York"),
        "HTML": ('"><script>alert(1)</script>', "New York"),
        "a list": ("&food_zip[]=99546", "New York"),
    }.values(),
)
def test_a_reader_searches_another_zip(site: WordPress, zip_code: str, city: str) -> None:
    address = site.page("[food_directory]")
    query = zip_code if zip_code.startswith("&") else str(httpx.QueryParams({"food_zip": zip_code}))
    text = site.read(f"{address}&{query}")
    listing = _listing(text)
    assert city in _text_of(next(listing.iter("h2")))
    assert "<script>alert(1)" not in text
    fields = {e.get("name"): e.get("value") for e in listing.iter("input")}
    assert fields["page_id"] == address.partition("page_id=")[2]


@pytest.mark.parametrize(
    ("options", "text"),
    {
        "an unknown ZIP": ('zip="99999"', "The food directory does not know the place “99999”."),
        "nothing near": ('zip="82401" mode="wic"', "Nothing is listed"),
        "nothing but far": ('zip="82401"', "These places are farther away"),
        "options that break rules": (
            'mode="lunch" limit="many" theme="pink" heading="1" lang="fr"',
            "places within",
        ),
        "sold food": ('mode="snap"', "Food is sold here, not given away."),
        "short": ('compact="yes"', "Example Pantry East"),
        "without the form": ('search="no"', "Example Pantry East"),
    }.values(),
)
def test_a_listing_states_its_options_and_gaps(site: WordPress, options: str, text: str) -> None:
    listing = _listing(site.read(site.page(f"[food_directory {options}]")))
    assert text in _text_of(listing)
    assert bool(list(listing.iter("form"))) == ("search" not in options)
    assert bool(_texts_of(listing, "address")) == (
        "compact" not in options and "99999" not in options and "wic" not in options
    )


# ---------------------------------------------------------------- an unavailable directory


def test_the_last_good_list_stays(site: WordPress, directory: Directory) -> None:
    page, other = site.page("[food_directory limit=2]"), site.page('[food_directory zip="96910"]')
    fresh = _listing(site.read(page))
    assert _texts_of(fresh, "chip")
    assert _texts_of(_listing(site.read(f"{page}&food_zip=99546")), "name") == ["Adak Pantry"]
    directory.stop()
    try:
        assert _texts_of(_listing(site.read(page)), "chip"), "stored for ten minutes"
        assert _age_answers(site, 3600) == 2
        old_listing = _listing(site.read(page))
        assert _texts_of(old_listing, "name") == _texts_of(fresh, "name")
        assert not _texts_of(old_listing, "chip"), "no open state of an hour ago"
        assert re.match(
            r"This list is of .+: the food directory does not answer at the moment\. Call before you go\.",
            _texts_of(old_listing, "doubt")[0],
        )
        away = _listing(site.read(other))
        assert _texts_of(away, "doubt") == [
            "The food directory does not answer at the moment. Try again later."
        ]
        assert "Call 211" in _text_of(away)
        assert site.php("return get_transient('food_directory_pause');") == "1"
    finally:
        directory.start()
    assert _texts_of(_listing(site.read(page)), "doubt")[0].startswith("This list is of"), (
        "requested once a minute only"
    )
    _forget(site, "food_directory_pause")
    again = _listing(site.read(page))
    assert _texts_of(again, "chip") == _texts_of(fresh, "chip")


HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>[food_directory]"


def _hostile_place(**more: Any) -> dict[str, Any]:
    texts = [
        "organization",
        "resource_type",
        "address",
        "city",
        "state",
        "zip",
        "timezone",
        "phone",
        "hours_text",
        "hours_status",
    ]
    report = {
        "status": "closed_today",
        "notes": HOSTILE,
        "reported_at": HOSTILE,
        "expires_at": "2099-01-01T00:00:00Z",
        "is_confirmed": True,
    }
    return {
        "id": 1,
        "name": HOSTILE,
        **dict.fromkeys(texts, HOSTILE),
        "phone_e164": "javascript:alert(1)",
        "website": "javascript:alert(1)",
        "hours": [{"freq": HOSTILE, "byday": HOSTILE, "opens_at": HOSTILE, "closes_at": HOSTILE}],
        "live_status": report,
        "days_since_confirmed": 3,
        "distance_miles": HOSTILE,
        **more,
    }


def _hostile_answer(places: list[Any]) -> bytes:
    actual = {
        "resources": places,
        "total_available": 1,
        "search_radius_mi": 25,
        "location": {"city": HOSTILE, "state": [HOSTILE]},
        "_data_provider": {"name": HOSTILE, "license": HOSTILE},
    }
    return json.dumps(actual).encode()


def _read_from(site: WordPress, status: int, body: bytes) -> str:
    """Return a page with the list of a directory that gives this answer."""

    class Handler(QuietHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with serving(Handler) as port:
        _set(site, address=f"http://127.0.0.1:{port}", zip="10002")
        return site.read(site.page("[food_directory]"))


@pytest.mark.parametrize(
    "places",
    {
        "every text": [_hostile_place()],
        "lists in place of texts": [
            _hostile_place(
                address=[HOSTILE],
                phone={"a": HOSTILE},
                hours=HOSTILE,
                live_status=HOSTILE,
                timezone=None,
                hours_status=[],
            )
        ],
        "a website": [
            _hostile_place(
                website='http://a.example/"onmouseover="alert(1)',
                phone_e164='+1212555" onclick="alert(1)',
            )
        ],
        "values that are no places": [
            HOSTILE,
            3,
            None,
            {"name": HOSTILE},
            {"id": HOSTILE, "name": "x"},
        ],
    }.values(),
)
def test_a_hostile_directory_cannot_write_html(site: WordPress, places: list[Any]) -> None:
    listing = _listing(_read_from(site, 200, _hostile_answer(places)))
    assert not {e.tag for e in listing.iter()} & {"script", "img", "iframe", "style"}
    for element in listing.iter():
        assert not [name for name in element.attrib if name.startswith("on")]
        assert not element.get("href", "").lower().startswith("javascript")
    if "id" in str(places[0]):
        assert _texts_of(listing, "name") == [" ".join(HOSTILE.split())]


@pytest.mark.parametrize(
    ("status", "body"),
    {
        "an error": (500, b'{"resources": []}'),
        "too busy": (429, b"{}"),
        "not the directory": (404, b"<html>Not found</html>"),
        "HTML": (200, b"<html></html>"),
        "cut off": (200, b'{"resources": [{"id": 1, "na'),
        "another JSON": (200, b'{"resources": 7}'),
        "too long": (200, b'{"resources": [], "x": "' + b"x" * 1_100_000 + b'"}'),
    }.values(),
)
def test_a_broken_answer_is_reported_as_no_answer(
    site: WordPress, status: int, body: bytes
) -> None:
    listing = _listing(_read_from(site, status, body))
    assert _texts_of(listing, "doubt") == [
        "The food directory does not answer at the moment. Try again later."
    ]


# ---------------------------------------------------------------- settings


def _form(text: str, action: str) -> dict[str, str]:
    """Return the fields of a form of an admin page."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    form = next(f for f in tree.iter("form") if f.get("action", "").endswith(action))
    fields = {e.get("name", ""): e.get("value", "") for e in form.iter("input") if e.get("name")}
    for select in form.iter("select"):
        fields[select.get("name", "")] = next(
            o.get("value", "") for o in select.iter("option") if o.get("selected") is not None
        )
    return fields


def test_an_administrator_changes_the_settings(site: WordPress, directory: Directory) -> None:
    client = site.sign_in(ADMINISTRATOR)
    fields = _form(client.get(PAGE).text, "options.php")
    name = "food_directory_settings[{}]".format
    assert (fields[name("address")], fields[name("mode")], fields[name("limit")]) == (
        directory.address,
        "free",
        "5",
    )
    changes = {
        name("zip"): "<b>96910</b>",
        name("mode"): "wic",
        name("theme"): "dark",
        name("limit"): "99",
        name("minutes"): "30",
    }
    page = client.post("/wp-admin/options.php", data={**fields, **changes})
    assert "Settings saved." in page.text
    assert site.php("return get_option('food_directory_settings');") == {
        "address": directory.address,
        "zip": "96910",
        "mode": "wic",
        "theme": "dark",
        "limit": 20,
        "minutes": 30,
    }
    error_page = client.post(
        "/wp-admin/options.php", data={**fields, name("address"): "ftp://user@nowhere"}
    )
    assert "The address of the directory was not changed" in error_page.text
    assert site.php("return get_option('food_directory_settings')['address'];") == directory.address
    assert "food-directory--dark" in site.read(site.page("[food_directory]"))


def test_the_button_checks_the_connection(site: WordPress) -> None:
    client = site.sign_in(ADMINISTRATOR)
    fields = _form(client.get(PAGE).text, "admin-post.php")
    assert "The directory answers." in client.post("/wp-admin/admin-post.php", data=fields).text
    _set(site, address="http://127.0.0.1:9")
    answer = client.post("/wp-admin/admin-post.php", data=fields)
    assert "The directory does not answer." in answer.text


def test_only_administrators_change_settings(site: WordPress) -> None:
    before = site.php("return get_option('food_directory_settings');")
    administrator, reader = site.sign_in(ADMINISTRATOR), site.sign_in(READER)
    fields = _form(administrator.get(PAGE).text, "options.php")
    button = _form(administrator.get(PAGE).text, "admin-post.php")
    changes = {**fields, "food_directory_settings[zip]": "99546"}
    assert reader.get(PAGE).status_code == 403
    assert reader.post("/wp-admin/options.php", data=changes).status_code == 403
    assert reader.post("/wp-admin/admin-post.php", data=button).status_code == 403
    wrong = {"_wpnonce": "0123456789"}
    assert administrator.post("/wp-admin/options.php", data={**changes, **wrong}).status_code == 403
    assert (
        administrator.post("/wp-admin/admin-post.php", data={**button, **wrong}).status_code == 403
    )
    stranger = httpx.Client(base_url=site.address)
    assert (
        "wp-login.php" in stranger.post("/wp-admin/options.php", data=changes).headers["location"]
    )
    assert stranger.post("/wp-admin/admin-post.php", data=button).status_code == 400
    assert site.php("return get_option('food_directory_settings');") == before


def test_without_an_address_readers_are_referred_to_211(site: WordPress) -> None:
    _set(site)
    address = site.page("[food_directory]")
    assert "Call 211 for food help near you" in site.read(address)
    assert "is not set yet" not in site.read(address)
    assert "is not set yet" in site.sign_in(ADMINISTRATOR).get(address).text


def test_removal_deletes_all_options(site: WordPress) -> None:
    site.read(site.page("[food_directory]"))
    query = "return $GLOBALS['wpdb']->get_col(\"SELECT option_name FROM {$GLOBALS['wpdb']->options} WHERE option_name LIKE '%food_directory%'\");"
    assert len(site.php(query)) >= 3
    site.php(
        "require_once ABSPATH . 'wp-admin/includes/plugin.php'; deactivate_plugins($v['name']); uninstall_plugin($v['name']); return true;",
        name=PLUGIN,
    )
    assert site.php(query) == []
    site.php(
        "require_once ABSPATH . 'wp-admin/includes/plugin.php'; activate_plugin($v['name']); return true;",
        name=PLUGIN,
    )
