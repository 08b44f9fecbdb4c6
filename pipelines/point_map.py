"""Draws a plain map of points for a reviewer: one HTML file with an SVG, no tiles, no scripts."""

import html
import math
from pathlib import Path

import pandas as pd

_WIDTH = 900
_MARGIN = 20


def extent(places: pd.DataFrame) -> str:
    """Return the bounds of the points of a frame (lat, lng) in words, and the number of rows with
    one."""
    points = _points(places)
    if points.empty:
        return f"none of {len(places)} rows has a point"
    south, north = points["lat"].min(), points["lat"].max()
    west, east = points["lng"].min(), points["lng"].max()
    return (
        f"{len(points)} of {len(places)} rows have a point; latitude {south:.3f} to {north:.3f}, "
        f"longitude {west:.3f} to {east:.3f}"
    )


def write_map(places: pd.DataFrame, path: Path, title: str) -> None:
    """Write the points of a frame (lat, lng, name) as a map; names are shown on hover."""
    path.write_text(
        f"<!doctype html><meta charset=utf-8><title>{html.escape(title)}</title>"
        f"<p>{html.escape(title)}: {html.escape(extent(places))}</p>{map_svg(places)}\n",
        encoding="utf-8",
    )


def map_svg(places: pd.DataFrame) -> str:
    """Return the points of a frame (lat, lng, and optionally name, color) as an SVG element."""
    points = _points(places)
    dots, height = _dots(points) if len(points) else ("", 200)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="{html.escape(extent(places))}" '
        f'style="border:1px solid #888;max-width:{_WIDTH}px">{dots}</svg>'
    )


def _points(places: pd.DataFrame) -> pd.DataFrame:
    if "lat" not in places or "lng" not in places:
        return places.iloc[:0]
    return places.dropna(subset=["lat", "lng"])


def _dots(points: pd.DataFrame) -> tuple[str, int]:
    """Return circles in an equirectangular projection about the middle latitude, and the height."""
    scale = math.cos(math.radians(float(points["lat"].mean())))
    west, north = float(points["lng"].min()), float(points["lat"].max())
    width = max((float(points["lng"].max()) - west) * scale, 1e-6)
    tall = max(north - float(points["lat"].min()), 1e-6)
    factor = (_WIDTH - 2 * _MARGIN) / max(width, tall)
    names = points["name"] if "name" in points else pd.Series("", index=points.index)
    colors = points["color"] if "color" in points else pd.Series("#0b5", index=points.index)
    dots = "".join(
        f'<circle cx="{_MARGIN + (lng - west) * scale * factor:.1f}" '
        f'cy="{_MARGIN + (north - lat) * factor:.1f}" r="3" fill="{color}" fill-opacity=".6">'
        f"<title>{html.escape(str(name))}</title></circle>"
        for lat, lng, name, color in zip(points["lat"], points["lng"], names, colors, strict=True)
    )
    return dots, int(tall * factor) + 2 * _MARGIN
