"""`python -m pipelines` is `larder`.

A module of its own: processes that are forked import the main module again unless it is this one.
"""

from pipelines.cli import main

main()
