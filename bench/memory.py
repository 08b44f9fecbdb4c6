"""Where the seconds of a start and the memory of a worker go. Measured by hand beside the report:
stage by stage with `time.thread_time`, mapping by mapping from /proc/<pid>/smaps.
"""

from __future__ import annotations

SECTION = """## Where a start and the memory go

330,000 synthetic rows, on a busy machine: processor time and resident pages depend little on that.

| start of one worker | CPU ms | |
| --- | ---: | --- |
| interpreter, server, settings | 85 | |
| imports: 640 modules of ours, 1,200 of libraries | 560 | 0.9 s where nothing compiled them before; half is SQLAlchemy, Litestar, NumPy, Arrow, DuckDB |
| 440 handlers at 620 addresses | 195 | Litestar reads the signature of each |
| gazetteer: 42,781 ZIP codes, 43,825 cities | 110 | decoded once; a format of columns would be mapped |
| words of plain language, declarations of sources | 100 | YAML and regular expressions |
| DuckDB, and three tables that are asked at once | 60 | |
| rest of the release, store, loop | 60 | |

| one worker and its server, MB | at start | after the load | |
| --- | ---: | ---: | --- |
| objects of Python up to 512 bytes | 62 | 91 | code and classes of modules, routes 8, names of places |
| larger ones, arrays, the library of C | 90 | 144 | answers held 32, opening states and texts of the day 15, gazetteer 15 |
| code of libraries | 102 | 104 | DuckDB 36, Arrow 20; shared with every other process that uses them |
| files of the release | 15 | 55 | mapped: shared by all workers, and dropped when memory is short |
| together | 268 | 395 | |

Before, by the same measure, a worker took 345 MB at the start and 463 after the load; two took 632, now 522. A further worker takes 120 to
135 MB in place of 165 to 169, not the 90 aimed at. It has libraries, files and 71 MB of objects in common with the others, and 114 MB of its
own: 22 at its start, 33 copied from the 104 that were common then, and 59 made under the load (opening states and texts of the day,
its part of the answers held, questions read, DuckDB). CPython counts references within each object, so whoever uses an object
writes to its page, which the kernel then copies; what lies in NumPy, Arrow or files stays common, and `gc.freeze` spares the pages
that only the collector would touch. The day and the copies alone, which every process of CPython has for itself, are more than half of
the goal.

Tried without gain: one arena of malloc for all threads (392 against 395 MB after the load)."""
