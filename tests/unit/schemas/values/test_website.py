import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.values.contacts import parse_website


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://example.org/pantry", "https://example.org/pantry"),
        ("example.org", "http://example.org"),
        ("www.Example.ORG/Food", "http://www.example.org/Food"),
        ("HTTP://WWW.EXAMPLE.ORG", "http://www.example.org"),
        ("http:/example.org", "http://example.org"),
        ("http//example.org", "http://example.org"),
        ("http:\\\\example.org\\food", "http://example.org/food"),
        ("http://https://example.org", "https://example.org"),
        (" https:// example.org ", "https://example.org"),
        ("example.org.", "http://example.org"),
        ("example.org:8080/x", "http://example.org:8080/x"),
        ("https://example.org:443/x", "https://example.org/x"),
        ("https://example.org/a b", "https://example.org/a"),
        ("https://a.org https://b.org", "https://a.org"),
        ("https://a.orghttps://b.org", "https://a.org"),
        ("a.org,b.org", "http://a.org"),
        ("https://example.org/food,2.html", "https://example.org/food,2.html"),
        ("n/a; www.example.org", "http://www.example.org"),
        ("help@example.org, www.example.org", "http://www.example.org"),
        ("facebook.com/example.pantry", "http://facebook.com/example.pantry"),
        ("https://www.tiktok.com/@example", "https://www.tiktok.com/@example"),
        ("https://example.org/x?utm_source=mail&id=5&fbclid=abc", "https://example.org/x?id=5"),
        ("https://example.org/x?id=5&section=3", "https://example.org/x?id=5&section=3"),
        ("https://example.org/x?mail=a@example.org", "https://example.org/x"),
        ("https://example.org/x?utm_medium=a", "https://example.org/x"),
        ("https://example.org/#/food", "https://example.org/#/food"),
        ("https://example.org/año", "https://example.org/a%C3%B1o"),
        ("https://despensaañil.org", "https://xn--despensaail-9db.org"),
    ],
)
def test_parse_website(text: str, expected: str) -> None:
    assert parse_website(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "n/a",
        "none",
        "http://",
        "https://",
        "http://n/a",
        "http://none",
        "http://NA",
        "help@example.org",
        "mailto:help@example.org",
        "https://user:secret@example.org",
        "javascript:alert(1)",
        "ftp://example.org",
        "data:text/html,x",
        "http://127.0.0.1/x",
        "http://localhost/x",
        "http://[::1]/",
        "Facebook",
        "@example",
        "http://-bad-.org",
        "http://exa_mple.org",
        "http://example..org",
        "http://example.org:99999",
    ],
)
def test_invalid_web_addresses(text: str) -> None:
    assert parse_website(text) is None


@given(st.text(alphabet="htps:/.wexamplorg@?&=# %,;ñ\\", max_size=40) | st.text(max_size=30))
def test_a_web_address_reads_as_itself(text: str) -> None:
    address = parse_website(text)
    if address is not None:
        assert address.startswith(("http://", "https://"))
        assert parse_website(address) == address
