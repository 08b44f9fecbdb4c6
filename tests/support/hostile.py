"""A town with names and texts that attack the software that displays them."""

from pathlib import Path
from typing import Any

from tests.support.town import ALWAYS, NEW_YORK, TODAY, write_town

SCRIPT = "<script>alert(1)</script>"
SVG = '"><svg onload=alert(2)>'
QUOTES = "' onmouseover='alert(3)' x='"
MARKDOWN = "[eat](javascript:alert(4)) ![x](http://evil.example/x.png)"
TEMPLATE = "{{7*7}}${7*7}<%= 7*7 %>]]>--><!--"
LINES = "Pantry\r\nBEGIN:VEVENT\r\nX-EVIL:1\r\nSet-Cookie: a=b"
FORMULA = "=cmd|'/C calc'!A0"
BIDI = "Pantry \u202egnp.exe\u2066\u200b"
TEXTS = (SCRIPT, SVG, QUOTES, MARKDOWN, TEMPLATE, LINES, FORMULA, BIDI)
LINK = "javascript:alert(document.domain)//"
FIRST_ID = 901


def hostile_rows() -> list[dict[str, Any]]:
    """Return one place for each text, which is in every text field; the website is LINK."""
    from tests.support.releases import resource

    lat, lng = NEW_YORK
    return [
        resource(
            FIRST_ID + n,
            name=text,
            organization=text,
            address=text,
            hours_text=text,
            notes=text,
            services_offered=[text, "groceries"],
            requirements_text=text,
            languages=["en"],
            website=LINK,
            phone="(212) 555-0101",
            phone_e164="+12125550101",
            schedules_json=ALWAYS,
            source_updated_date=TODAY,
            lat=lat + 0.001 * n,
            lng=lng,
        )
        for n, text in enumerate(TEXTS)
    ]


def write_hostile_town(data_dir: Path) -> str:
    """Write and promote the town; return the release id."""
    return write_town(data_dir, resources=hostile_rows(), access=True, hsds=True, bulk=True)
