"""Write the quality checks of a release as a page of HTML."""

import pandas as pd


def quality_page(checks: pd.DataFrame, release_id: str) -> str:
    """Return the checks as a small page of HTML that prints well; failures first."""
    order = {"blocking": 0, "warning": 1, "figure": 2}
    in_order = checks.assign(_order=checks["severity"].map(order)).sort_values(
        ["is_passed", "_order", "check_id", "check_group"], kind="stable"
    )
    visible = in_order[
        ["check_id", "check_group", "measured", "threshold", "severity", "is_passed", "detail"]
    ]
    table = visible.to_html(
        index=False, border=0, na_rep="", float_format="{:g}".format, escape=True
    )
    failure_count = int((~checks["is_passed"]).sum())
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Quality of release {release_id}</title>"
        "<style>body{font:17px/1.5 system-ui;max-width:70rem;margin:1rem auto;padding:0 1rem}"
        "table{border-collapse:collapse;font-size:.85rem}td,th{padding:.25rem "
        ".5rem;text-align:left;"
        "border-bottom:1px solid #ccc;vertical-align:top}</style></head><body>"
        f"<h1>Quality of release {release_id}</h1>"
        f"<p>{len(checks)} measures, {failure_count} beyond their "
        f"limit.</p>\n{table}</body></html>\n"
    )
