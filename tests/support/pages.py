"""Pages as a browser parses them."""

import html5lib
from httpx import Response
from lxml import etree

HTML = "{http://www.w3.org/1999/xhtml}"


def read_page(answer: Response) -> etree._Element:
    """Return the root of a page; raises html5lib's ParseError at the first fault."""
    parser = html5lib.HTMLParser(html5lib.getTreeBuilder("lxml"), strict=True)
    root: etree._Element = parser.parse(answer.text).getroot()
    return root


def list_page_faults(root: etree._Element) -> list[str]:
    """Return faults that the parser accepts: repeated ids, labels without a target, fields without
    a label, more or fewer than one h1, files of other hosts.
    """
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    used_ids = {
        name
        for e in root.iter(f"{HTML}*")
        for key in ("aria-labelledby", "aria-describedby", "for")
        for name in e.get(key, "").split()
    }
    labels = {e.get("for") for e in root.iter(f"{HTML}label")}
    fields = [e for tag in ("input", "select", "textarea") for e in root.iter(f"{HTML}{tag}")]
    faults = [f"id {name} twice" for name in set(ids) if ids.count(name) > 1]
    faults += [f"nothing has the id {name}" for name in used_ids - set(ids)]
    faults += [
        f"no label: {e.get('name')}"
        for e in fields
        if e.get("type") not in ("hidden", "submit", "button")
        and not e.get("aria-label")
        and e.get("id") not in labels
        and not any(parent.tag == f"{HTML}label" for parent in e.iterancestors())
    ]
    if len(list(root.iter(f"{HTML}h1"))) != 1:
        faults.append("not one h1")
    addresses = [e.get("src", "") for e in root.iter(f"{HTML}*") if e.get("src")]
    addresses += [
        e.get("href", "")
        for e in root.iter(f"{HTML}link")
        if e.get("rel") in {"stylesheet", "icon", "manifest"}
    ]
    return faults + [f"loads {link}" for link in addresses if not link.startswith(("/", "data:"))]
