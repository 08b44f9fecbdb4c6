"""`python -m pipelines`: the command `larder`."""

from pipelines.cli import main

if __name__ == "__main__":
    main()
