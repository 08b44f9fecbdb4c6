"""The plugin on a real WordPress, which asks the real service: pages, settings, faults, and its
end.

The service stops and starts on one port, so that the plugin meets a directory that is away.
"""

import json
import re
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import html5lib
import httpx
import pytest

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
    """The service on one address, to be stopped and started."""

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
    found = Directory(folder)
    found.start()
    yield found
    found.stop()


@pytest.fixture(scope="module")
def site(directory: Directory) -> Iterator[WordPress]:
    """A site with the plugin as the service gives it, active and set."""
    folder = Path(tempfile.mkdtemp(prefix="wp"))  # short: sockets have short names
    try:
        reason = unpack_wordpress(folder / "site")
        if reason is not None:
            pytest.skip(reason)
        with mariadb_server(folder) as socket, running_wordpress(folder / "site", socket) as found:
            archive = httpx.get(f"{directory.address}/embed/food-directory.zip")
            assert archive.headers["content-type"] == "application/zip"
            with zipfile.ZipFile(BytesIO(archive.content)) as files:
                files.extractall(found.folder / "wp-content/plugins")
            assert (
                found.php(
                    "require_once ABSPATH . 'wp-admin/includes/plugin.php'; return activate_plugin($v['name']);",
                    name=PLUGIN,
                )
                is None
            )
            _set(found, address=directory.address, zip="10002")
            yield found
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(autouse=True)
def _nothing_kept(site: WordPress, directory: Directory) -> Iterator[None]:
    """Each test starts with no kept answer; PHP may complain of nothing of ours."""
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


def _age_kept(site: WordPress, seconds: int) -> int:
    """Kept answers become older, as if that time had gone by; returns how many there are."""
    return int(
        site.php(
            "$n = 0; foreach ($GLOBALS['wpdb']->get_col(\"SELECT option_name FROM {$GLOBALS['wpdb']->options} WHERE option_name LIKE '\\_transient\\_food\\_directory\\_kept%'\") as $name) { $kept = get_option($name); $kept['asked_at'] -= $v['seconds']; update_option($name, $kept); $n++; } return $n;",
            seconds=seconds,
        )
    )


def _listing(text: str) -> ElementTree.Element:
    """What the plugin shows on a page."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    found = [e for e in tree.iter("div") if "food-directory" in e.get("class", "").split()]
    assert len(found) == 1
    return found[0]


def _said(element: ElementTree.Element) -> str:
    return " ".join(" ".join(element.itertext()).split())


def _classed(element: ElementTree.Element, name: str) -> list[str]:
    return [
        _said(e) for e in element.iter() if f"food-directory__{name}" in e.get("class", "").split()
    ]


# ---------------------------------------------------------------- pages


def test_a_shortcode_lists_the_nearest_places(site: WordPress, directory: Directory) -> None:
    found = _listing(site.read(site.page('[food_directory zip="10002" mode="free" limit="3"]')))
    assert _said(next(found.iter("h2"))) == "Free food near New York, NY 10002"
    assert _classed(found, "name") == ["Example Pantry East", 'Kitchen "Señor" <b>', "Example Bank"]
    first = next(e for e in found.iter("li"))
    assert _classed(first, "where") == ["0.7 miles away · Food pantry"]
    assert _classed(first, "chip") == ["Open"]
    assert _classed(first, "state")[0].startswith("Open as of ")
    assert _classed(first, "hours") == ["Hours as published: Always"]
    assert _classed(first, "age")[0].startswith("Hours confirmed ")
    links = [e.get("href", "") for e in first.iter("a")]
    assert links[:2] == [f"{directory.address}/place/101", "tel:+12125550101"]
    assert links[2].startswith(
        "https://www.google.com/maps/dir/?api=1&destination=1+Example+Street"
    )
    assert _classed(found, "provider")[0].startswith(
        "Listings by Open Larder (example instance) (asked "
    )


def test_a_block_lists_them_in_its_own_language(site: WordPress) -> None:
    text = site.read(site.page(SPANISH_BLOCK))
    found = _listing(text)
    assert found.get("lang") == "es"
    assert _said(next(found.iter("h2"))) == "Comida gratis cerca de New York, NY 10002"
    assert _classed(found, "where")[0] == "a 0.7 millas · Despensa de alimentos"
    assert "wp-block-food-directory-places" in text
    assert _classed(found, "doubt")[-1].startswith("La dirección no está") or "llame" in _said(
        found
    )


def test_a_spanish_site_needs_no_option(site: WordPress) -> None:
    address = site.page("[food_directory]")
    # WordPress takes only a language that it has: any words for it will do.
    plugin = site.folder / "wp-content/plugins/food-directory"
    shutil.copy(
        plugin / "languages/food-directory-es.mo", site.folder / "wp-content/languages/es_MX.mo"
    )
    site.php("update_option('WPLANG', 'es_MX'); return true;")
    try:
        found = _listing(site.read(address))
        english = _listing(site.read(site.page('[food_directory lang="en"]')))
    finally:
        site.php("update_option('WPLANG', ''); return true;")
    assert _said(next(found.iter("h2"))) == "Comida gratis cerca de New York, NY 10002"
    assert found.get("lang") is None
    assert (english.get("lang"), _said(next(english.iter("h2")))) == (
        "en",
        "Free food near New York, NY 10002",
    )


def test_a_list_loads_nothing_from_elsewhere(site: WordPress, directory: Directory) -> None:
    tree = html5lib.parse(site.read(site.page("[food_directory]")), namespaceHTMLElements=False)
    loaded = [
        e.get("src") or e.get("href")
        for e in tree.iter()
        if e.tag in {"script", "img", "iframe", "link"}
    ]
    assert not [address for address in loaded if address and address.startswith(directory.address)]


def test_the_search_in_a_frame(site: WordPress, directory: Directory) -> None:
    found = _listing(
        site.read(site.page('[food_directory view="widget" theme="dark" lang="es" limit="3"]'))
    )
    frame = next(found.iter("iframe"))
    address = frame.get("src", "")
    assert (
        address
        == f"{directory.address}/embed/widget?zip=10002&mode=free&theme=dark&limit=3&lang=es"
    )
    assert "Comida cerca de New York" in httpx.get(address).text


@pytest.mark.parametrize(
    ("typed", "shown"),
    {
        "a ZIP code": ("99546", "Adak"),
        "none": ("", "New York"),
        "too short": ("995", "New York"),
        "HTML": ('"><script>alert(1)</script>', "New York"),
        "a list": ("&food_zip[]=99546", "New York"),
    }.values(),
)
def test_a_reader_searches_another_zip(site: WordPress, typed: str, shown: str) -> None:
    address = site.page("[food_directory]")
    query = typed if typed.startswith("&") else str(httpx.QueryParams({"food_zip": typed}))
    text = site.read(f"{address}&{query}")
    found = _listing(text)
    assert shown in _said(next(found.iter("h2")))
    assert "<script>alert(1)" not in text
    hidden = {e.get("name"): e.get("value") for e in found.iter("input")}
    assert hidden["page_id"] == address.partition("page_id=")[2]


@pytest.mark.parametrize(
    ("options", "expected"),
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
def test_what_is_said(site: WordPress, options: str, expected: str) -> None:
    found = _listing(site.read(site.page(f"[food_directory {options}]")))
    assert expected in _said(found)
    assert bool(list(found.iter("form"))) == ("search" not in options)
    assert bool(_classed(found, "address")) == (
        "compact" not in options and "99999" not in options and "wic" not in options
    )


# ---------------------------------------------------------------- a directory that is away


def test_the_last_good_list_stays(site: WordPress, directory: Directory) -> None:
    page, other = site.page("[food_directory limit=2]"), site.page('[food_directory zip="96910"]')
    fresh = _listing(site.read(page))
    assert _classed(fresh, "chip")
    assert _classed(_listing(site.read(f"{page}&food_zip=99546")), "name") == ["Adak Pantry"]
    directory.stop()
    try:
        assert _classed(_listing(site.read(page)), "chip"), "kept for ten minutes"
        assert _age_kept(site, 3600) == 2
        kept = _listing(site.read(page))
        assert _classed(kept, "name") == _classed(fresh, "name")
        assert not _classed(kept, "chip"), "no open state of an hour ago"
        assert re.match(
            r"This list is of .+: the food directory does not answer at the moment\. Call before you go\.",
            _classed(kept, "doubt")[0],
        )
        away = _listing(site.read(other))
        assert _classed(away, "doubt") == [
            "The food directory does not answer at the moment. Try again later."
        ]
        assert "Call 211" in _said(away)
        assert site.php("return get_transient('food_directory_pause');") == "1"
    finally:
        directory.start()
    assert _classed(_listing(site.read(page)), "doubt")[0].startswith("This list is of"), (
        "asked once a minute only"
    )
    _forget(site, "food_directory_pause")
    again = _listing(site.read(page))
    assert _classed(again, "chip") == _classed(fresh, "chip")


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


@contextmanager
def _other_directory(status: int, body: bytes) -> Iterator[str]:
    class Says(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Says)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _read_from(site: WordPress, directory: Directory, status: int, body: bytes) -> str:
    with _other_directory(status, body) as address:
        _set(site, address=address, zip="10002")
        try:
            return site.read(site.page("[food_directory]"))
        finally:
            _set(site, address=directory.address, zip="10002")


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
        "no places at all": [HOSTILE, 3, None, {"name": HOSTILE}, {"id": HOSTILE, "name": "x"}],
    }.values(),
)
def test_a_hostile_directory_cannot_write_html(
    site: WordPress, directory: Directory, places: list[Any]
) -> None:
    found = _listing(_read_from(site, directory, 200, _hostile_answer(places)))
    assert not {e.tag for e in found.iter()} & {"script", "img", "iframe", "style"}
    for element in found.iter():
        assert not [name for name in element.attrib if name.startswith("on")]
        assert not element.get("href", "").lower().startswith("javascript")
    if "id" in str(places[0]):
        assert _classed(found, "name") == [" ".join(HOSTILE.split())]


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
def test_a_broken_answer_is_no_answer(
    site: WordPress, directory: Directory, status: int, body: bytes
) -> None:
    found = _listing(_read_from(site, directory, status, body))
    assert _classed(found, "doubt") == [
        "The food directory does not answer at the moment. Try again later."
    ]


# ---------------------------------------------------------------- settings


def _form(text: str, action: str) -> dict[str, str]:
    """The fields of a form of an admin page."""
    tree = html5lib.parse(text, namespaceHTMLElements=False)
    form = next(f for f in tree.iter("form") if f.get("action", "").endswith(action))
    fields = {e.get("name", ""): e.get("value", "") for e in form.iter("input") if e.get("name")}
    for select in form.iter("select"):
        fields[select.get("name", "")] = next(
            o.get("value", "") for o in select.iter("option") if o.get("selected") is not None
        )
    return fields


def test_an_administrator_sets_it(site: WordPress, directory: Directory) -> None:
    client = site.signed_in(ADMINISTRATOR)
    fields = _form(client.get(PAGE).text, "options.php")
    name = "food_directory_settings[{}]".format
    assert (fields[name("address")], fields[name("mode")], fields[name("limit")]) == (
        directory.address,
        "free",
        "5",
    )
    changed = {
        name("zip"): "<b>96910</b>",
        name("mode"): "wic",
        name("theme"): "dark",
        name("limit"): "99",
        name("minutes"): "30",
    }
    try:
        saved = client.post("/wp-admin/options.php", data={**fields, **changed})
        assert "Settings saved." in saved.text
        assert site.php("return get_option('food_directory_settings');") == {
            "address": directory.address,
            "zip": "96910",
            "mode": "wic",
            "theme": "dark",
            "limit": 20,
            "minutes": 30,
        }
        refused = client.post(
            "/wp-admin/options.php", data={**fields, name("address"): "ftp://user@nowhere"}
        )
        assert "The address of the directory was not changed" in refused.text
        assert (
            site.php("return get_option('food_directory_settings')['address'];")
            == directory.address
        )
        assert "food-directory--dark" in site.read(site.page("[food_directory]"))
    finally:
        _set(site, address=directory.address, zip="10002")


def test_the_button_tells_whether_the_directory_answers(
    site: WordPress, directory: Directory
) -> None:
    client = site.signed_in(ADMINISTRATOR)
    fields = _form(client.get(PAGE).text, "admin-post.php")
    assert "The directory answers." in client.post("/wp-admin/admin-post.php", data=fields).text
    _set(site, address="http://127.0.0.1:9")
    try:
        assert (
            "The directory does not answer."
            in client.post("/wp-admin/admin-post.php", data=fields).text
        )
    finally:
        _set(site, address=directory.address, zip="10002")


def test_nobody_else_may(site: WordPress, directory: Directory) -> None:
    before = site.php("return get_option('food_directory_settings');")
    administrator, reader = site.signed_in(ADMINISTRATOR), site.signed_in(READER)
    fields = _form(administrator.get(PAGE).text, "options.php")
    button = _form(administrator.get(PAGE).text, "admin-post.php")
    forged = {**fields, "food_directory_settings[zip]": "99546"}
    assert reader.get(PAGE).status_code == 403
    assert reader.post("/wp-admin/options.php", data=forged).status_code == 403
    assert reader.post("/wp-admin/admin-post.php", data=button).status_code == 403
    wrong = {"_wpnonce": "0123456789"}
    assert administrator.post("/wp-admin/options.php", data={**forged, **wrong}).status_code == 403
    assert (
        administrator.post("/wp-admin/admin-post.php", data={**button, **wrong}).status_code == 403
    )
    stranger = httpx.Client(base_url=site.address)
    assert "wp-login.php" in stranger.post("/wp-admin/options.php", data=forged).headers["location"]
    assert stranger.post("/wp-admin/admin-post.php", data=button).status_code == 400
    assert site.php("return get_option('food_directory_settings');") == before


def test_without_an_address_readers_are_referred_to_211(
    site: WordPress, directory: Directory
) -> None:
    _set(site)
    try:
        address = site.page("[food_directory]")
        assert "Call 211 for food help near you" in site.read(address)
        assert "is not set yet" not in site.read(address)
        assert "is not set yet" in site.signed_in(ADMINISTRATOR).get(address).text
    finally:
        _set(site, address=directory.address, zip="10002")


def test_it_leaves_nothing_behind(site: WordPress, directory: Directory) -> None:
    site.read(site.page("[food_directory]"))
    left = "return $GLOBALS['wpdb']->get_col(\"SELECT option_name FROM {$GLOBALS['wpdb']->options} WHERE option_name LIKE '%food_directory%'\");"
    assert len(site.php(left)) >= 3
    site.php(
        "require_once ABSPATH . 'wp-admin/includes/plugin.php'; deactivate_plugins($v['name']); uninstall_plugin($v['name']); return true;",
        name=PLUGIN,
    )
    assert site.php(left) == []
    site.php(
        "require_once ABSPATH . 'wp-admin/includes/plugin.php'; activate_plugin($v['name']); return true;",
        name=PLUGIN,
    )
    _set(site, address=directory.address, zip="10002")
