"""Nodes."""

LIMIT = 3

if LIMIT:
    pass

print(LIMIT)
