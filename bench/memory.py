"""Text on the seconds of a start and the memory of a worker, measured by hand apart from the
report: stage by stage with `time.thread_time`, mapping by mapping from /proc/<pid>/smaps.
"""

SECTION = """## Where a start and the memory go

330,000 synthetic rows, on a busy machine: processor time and resident pages depend little on that.

| start of one worker | CPU ms | |
| --- | ---: | --- |
| interpreter, server, settings | 85 | |
| imports: 640 modules of ours, 1,200 of libraries | 510 | 0.9 s where nothing compiled them before; half is SQLAlchemy, Litestar, NumPy, Arrow |
| 440 handlers at 620 addresses | 195 | Litestar reads the signature of each |
| gazetteer: 42,781 ZIP codes, 43,825 cities | 110 | decoded once; a format of columns would be mapped |
| words of plain language, declarations of sources | 100 | YAML and regular expressions |
| areas served, home deliveries, ids that are gone | 3 | mapped; DuckDB took 60 to read them, and 50 to be imported with Parquet |
| rest of the release, store, loop | 60 | |

| one worker and its server, MB | at start | after the load | |
| --- | ---: | ---: | --- |
| objects of Python up to 512 bytes | 74 | 87 | code and classes of modules, routes 8, names of places |
| larger ones, arrays, the library of C | 78 | 133 | answers held 32, gazetteer 15, opening states and texts of the day 10 |
| code of libraries | 63 | 65 | Arrow 20; shared with every other process that uses them |
| files of the release | 16 | 58 | mapped: shared by all workers, and dropped when memory is short |
| together | 230 | 344 | |

Every page of the processes counts here, those of libraries and files once, whoever else has them in use; after the load means at
least 10,000 requests to each endpoint above. In the same hour, taking turns, the code of the day before and this one:

| after the load, MB | before | now |
| --- | ---: | ---: |
| one worker | 398 | 344 |
| two workers | 530 | 434 |
| the second worker | 132 | 90 |
| one worker, PSS beside other processes with the same libraries | 307 | 286 |
| two workers, PSS | 447 | 376 |
| start: processor time of imports and opening, ms (median of four) | 1,396 | 1,218 |

- **Tables** (54 MB, 0.1 s of a start): searches need neither DuckDB nor Parquet, so the first request for tables loads them. Statistics,
  HSDS and deep health asked once after a start bring a worker from 231 to 352 MB, before from 272 to 351: an instance whose visitors
  ask for all of them gains nothing but the start.
- **The API description** (10 to 30 MB of each worker): every worker made it from all handlers ten seconds after its start, wrote thereby to
  pages that it had in common with the others, and kept what the making left. A child process makes it now.
- **The day** (8 MB of each worker): texts of old hours were held twice, sets of weekdays thousands of times, names of days by each worker.

Two workers and their server have 85 MB of objects in common. Each has some 88 MB of its own, and the server 42 where it has 12 beside one
worker: CPython counts references within each object, so whoever uses an object writes to its page, which the kernel then copies. Pages
that both workers have copied stay with the server, for the next worker that it forks. What lies in NumPy, Arrow or files stays common, and
`gc.freeze` spares the pages that only the collector would touch. 16 MB of a worker are its part of the answers held, 10 its day.

Tried without gain: one arena of malloc for all threads (392 against 395 MB after the load); giving pages back again after the load (4 MB);
importing in the server what libraries import at their first use, and asking it the first question in two languages before it forks
(435 against 434 MB with two workers, for 0.13 s of the start)."""
