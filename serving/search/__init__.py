"""Search: query, candidates, filter, rank, render."""
