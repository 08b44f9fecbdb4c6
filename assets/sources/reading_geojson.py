"""Reader for GeoJSON feature collections of points (RFC 7946: longitude first, WGS84)."""

from assets.sources.contract import RawFile, UnreadableFileError
from assets.sources.reading_json import Record
from assets.sources.reading_records import read_records


def read_geojson_points(file: RawFile) -> list[Record]:
    """Return each feature's properties, `latitude`, `longitude`. Raises UnreadableFileError."""
    return [_record(feature, file) for feature in read_records(file, "features")]


def _record(feature: Record, file: RawFile) -> Record:
    properties, geometry = feature.get("properties"), feature.get("geometry") or {}
    if feature.get("type") != "Feature" or not isinstance(properties, dict):
        raise UnreadableFileError(f"{file.name}: a feature without properties")
    pair = geometry.get("coordinates") if geometry.get("type") == "Point" else None
    lng, lat = pair[:2] if isinstance(pair, list) and len(pair) >= 2 else (None, None)
    return {**properties, "latitude": lat, "longitude": lng}
