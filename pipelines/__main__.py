"""`python -m pipelines` is `larder`.

A separate module, because forked processes import the main module again.
"""

from pipelines.cli import main

main()
