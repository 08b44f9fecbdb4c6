"""The provider's signature, against its published vector and its own library's ways."""

import pytest

from serving.sms.routes import addresses, is_signed, signature_of

TOKEN, ADDRESS = "12345", "https://mycompany.com/myapp.php?foo=1&bar=2"
FIELDS = [
    ("CallSid", "CA1234567890ABCDE"),
    ("Caller", "+14158675309"),
    ("Digits", "1234"),
    ("From", "+14158675309"),
    ("To", "+18005551212"),
]
PUBLISHED = "RSOYDt4T1cUTdK1PDd93/VVr8B8="


def signed(
    signature: str,
    fields: list[tuple[str, str]] | None = None,
    address: str = ADDRESS,
    settings: str = "",
    shared: str = "",
) -> bool:
    headers = {b"x-twilio-signature": signature.encode()}
    if settings:
        headers[b"x-twilio-webhooks-signature-settings"] = settings.encode()
    return is_signed(TOKEN, shared, headers, address, FIELDS if fields is None else fields)


def test_the_published_vector() -> None:
    assert signature_of(TOKEN, ADDRESS, FIELDS) == PUBLISHED
    assert signature_of(TOKEN, ADDRESS, FIELDS[::-1]) == PUBLISHED
    assert signed(PUBLISHED)


@pytest.mark.parametrize(
    ("signature", "fields", "address"),
    [
        ("", None, ADDRESS),
        (PUBLISHED[:-2], None, ADDRESS),
        (PUBLISHED.lower(), None, ADDRESS),
        (PUBLISHED, FIELDS[1:], ADDRESS),
        (PUBLISHED, [*FIELDS, ("Body", "more")], ADDRESS),
        (PUBLISHED, [(k, v.replace("1234", "1235")) for k, v in FIELDS], ADDRESS),
        (PUBLISHED, None, "https://mycompany.com/myapp.php?foo=1&bar=3"),
        (PUBLISHED, None, "http://mycompany.com/myapp.php?foo=1&bar=2"),
        ("ÿ" * 28, None, ADDRESS),
    ],
)
def test_anything_else_is_refused(
    signature: str, fields: list[tuple[str, str]] | None, address: str
) -> None:
    assert not signed(signature, fields, address)


@pytest.mark.parametrize("port", ["", ":443"])
def test_the_port_may_be_counted_in_or_not(port: str) -> None:
    theirs = signature_of(TOKEN, f"https://food.example{port}/api/sms", FIELDS)
    for ours in ("https://food.example/api/sms", "https://food.example:443/api/sms"):
        assert signed(theirs, address=ours)
    assert not signed(theirs, address="https://food.example:8443/api/smsx")
    assert addresses("http://127.0.0.1:8000/api/sms") == [
        "http://127.0.0.1:8000/api/sms",
        "http://127.0.0.1/api/sms",
    ]


def test_repeated_keys_follow_each_other_once() -> None:
    twice = [("A", "2"), ("A", "1"), ("A", "2"), ("B", "")]
    assert signature_of(TOKEN, "https://x/", twice) == signature_of(TOKEN, "https://x/A1A2B", [])


def test_a_shared_key_signs_with_sha256() -> None:
    theirs = signature_of("shared", ADDRESS, FIELDS, "sha256")
    settings = "key=CK0123,algorithm=HMAC_SHA256"
    assert signed(theirs, settings=settings, shared="shared")
    assert signed(signature_of(TOKEN, ADDRESS, FIELDS, "sha256"), settings=settings)
    assert not signed(theirs, shared="shared")
    assert not signed(PUBLISHED, settings=settings, shared="shared")
    assert not signed(PUBLISHED, settings="key=CK0123,algorithm=NONE")
    assert not signed(PUBLISHED, settings="nonsense")
