"""Completes the description of the map's addresses: a suffix after a parameter, media types."""

from typing import Any

_ROUTED, _SHOWN = "/api/tiles/{z}/{x}/{y_file}", "/api/tiles/{z}/{x}/{y}.mvt"
_ROW = {
    "name": "y",
    "in": "path",
    "required": True,
    "description": "Row, from the north.",
    "schema": {"type": "integer", "minimum": 0, "maximum": (1 << 17) - 1},
    "example": 6,
}


def describe(schema: dict[str, Any]) -> None:
    """Complete the description in place."""
    paths = schema["paths"]
    if "/api/map" in paths:
        content = paths["/api/map"]["get"]["responses"]["200"]["content"]
        content["application/geo+json"] = content.pop("application/json")
    for name in ("ClusterProperties", "PlaceProperties"):
        if name in schema["components"]["schemas"]:
            kind = schema["components"]["schemas"][name]["properties"]["kind"]
            kind["description"] = "Distinguishes clusters and places."
    if _ROUTED in paths:
        schema["paths"] = {
            _SHOWN if path == _ROUTED else path: item for path, item in paths.items()
        }
        _describe_tile(schema["paths"][_SHOWN]["get"])


def _describe_tile(operation: dict[str, Any]) -> None:
    operation["parameters"] = [
        _ROW if parameter["name"] == "y_file" else parameter
        for parameter in operation["parameters"]
    ]
    kind = "application/vnd.mapbox-vector-tile"
    operation["responses"]["200"]["content"] = {
        kind: {"schema": {"type": "string", "contentMediaType": kind}}
    }
