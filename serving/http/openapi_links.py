"""Links of the description (OpenAPI 3.1, Link Object): addresses that take an id from another
answer."""

from typing import Any

_FIRST_PLACE, _FIRST_ROW = "$response.body#/resources/0/id", "$response.body#/contents/0/id"
_OF_A_PLACE = {
    "getResource": "resource_id",
    "getResourceStatus": "resource_id",
    "getCalendar": "id",
}
_PLACE_LISTS = (
    "searchResources",
    "nearbyResources",
    "urgentResources",
    "exportResources",
    "askInPlainLanguage",
)
_FIRST_RELEASE = "$response.body#/releases/0/id"
_OF_A_RELEASE = {
    "getReleaseManifest": "release_id",
    "getReleaseChanges": "release_id",
    "listChanges": "since",
}


def add_links(document: dict[str, Any]) -> None:
    """Add links to a description between the addresses that it has."""
    operations = {
        operation["operationId"]: operation
        for item in document["paths"].values()
        for operation in item.values()
    }
    links = [
        (name, target, parameter, _FIRST_PLACE)
        for name in _PLACE_LISTS
        for target, parameter in _OF_A_PLACE.items()
    ]
    links += [
        ("listReleases", target, parameter, _FIRST_RELEASE)
        for target, parameter in _OF_A_RELEASE.items()
    ]
    for name in operations:
        if name.startswith("listHsds"):
            links.append((name, "get" + name.removeprefix("list"), "entity_id", _FIRST_ROW))
    for name, target, parameter, expression in links:
        if name in operations and target in operations:
            answer = operations[name]["responses"]["200"]
            link = {"operationId": target, "parameters": {parameter: expression}}
            answer.setdefault("links", {})[target] = link
