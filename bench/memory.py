"""Text on start time and worker memory, measured by hand separately from the report."""

SECTION = """## Where a start and the memory go

The demo 166 times, 323,202 places, one worker on a busy machine. Processor time is the least of four.

| opening a release | CPU ms | |
| --- | ---: | --- |
| columns, timetables and origins of hours | 68 | one query each, into NumPy |
| R-trees: all places, six modes, 22 types | 403 | |
| gazetteer: 42,782 ZIP codes, 44,217 cities | 356 | objects of Python; their R-tree takes 20 |
| service areas, home deliveries, food banks | 55 | |
| records | 1 | mapped: 1.26 GB |
| together | 1,026 | |

| private memory of the worker, MB | |
| --- | ---: |
| after opening the release | 222 |
| at start, with all handlers and words | 272 |
| after searches, pages, counties and bulk lists | 319 |

Mapped pages of `records.arrow` do not count: workers share them, and the kernel drops them when memory is short.

Ten records by row take 6 µs from the mapped file, and 1.4 ms from DuckDB with an ART index."""  # noqa: E501 - Markdown with tables
