"""Text on start time and worker memory, measured by hand separately from the report: stage by stage
with `time.thread_time`, mapping by mapping from /proc/<pid>/smaps.
"""

SECTION = """## Where a start and the memory go

330,000 synthetic rows on a busy machine; load hardly affects processor time or resident pages.

| start of one worker | CPU ms | |
| --- | ---: | --- |
| interpreter, server, settings | 85 | |
| imports: 640 modules of ours, 1,200 of libraries | 510 | 0.9 s without bytecode; half is SQLAlchemy, Litestar, NumPy, Arrow |
| 440 handlers at 620 addresses | 195 | Litestar reads the signature of each |
| gazetteer: 42,781 ZIP codes, 43,825 cities | 110 | decoded once; a columnar format would be mapped |
| words of plain language, declarations of sources | 100 | YAML and regular expressions |
| areas served, home deliveries, ids that are gone | 3 | mapped; DuckDB took 60 to read them, its import with Parquet 50 |
| rest of the release, store, loop | 60 | |

| one worker and its server, MB | at start | after the load | |
| --- | ---: | ---: | --- |
| objects of Python up to 512 bytes | 74 | 87 | code and classes of modules, routes 8, names of places |
| larger ones, arrays, the library of C | 78 | 133 | cached answers 32, gazetteer 15, opening states and texts of the day 10 |
| code of libraries | 63 | 65 | Arrow 20; shared with every other process that uses them |
| files of the release | 16 | 58 | mapped: shared by all workers, evicted when memory is short |
| together | 230 | 344 | |

Every page of the processes counts, pages of libraries and files once, even if other processes share them. "After the load" means
after at least 10,000 requests to each endpoint above. The previous day's code and this code, in alternation within an hour:

| after the load, MB | before | now |
| --- | ---: | ---: |
| one worker | 398 | 344 |
| two workers | 530 | 434 |
| the second worker | 132 | 90 |
| one worker, PSS beside other processes with the same libraries | 307 | 286 |
| two workers, PSS | 447 | 376 |
| start: processor time of imports and opening, ms (median of four) | 1,396 | 1,218 |

- **Tables** (54 MB, 0.1 s of a start): searches need neither DuckDB nor Parquet, so the first request for tables loads them. One request
  each for statistics, HSDS and deep health after a start raises a worker from 231 to 352 MB, previously from 272 to 351: an instance
  that serves all of them only starts faster.
- **The API description** (10 to 30 MB of each worker): each worker generated it from all handlers ten seconds after its start, which copied
  shared pages and left memory allocated. A child process now generates it.
- **The day** (8 MB of each worker): each worker stored texts of old hours twice, sets of weekdays thousands of times, and its own names of days.

Two workers and their server share 85 MB of objects. Each worker has some 88 MB of its own; the server has 42, but 12 with one worker.
CPython counts references within each object, so using an object writes to its page, and the kernel copies the page. Pages that both
workers have copied stay in the server for the next worker that it forks. NumPy, Arrow and file data remain shared, and `gc.freeze`
protects pages that only the collector would touch. Each worker has 16 MB of the cached answers and 10 MB for the day.

Tried without gain: one malloc arena for all threads (392 against 395 MB after the load); returning pages after the load (4 MB); running
libraries' lazy imports and a first question in two languages in the server before it forks (435 against 434 MB with two workers,
for 0.13 s of the start)."""  # noqa: E501 - Markdown with tables
