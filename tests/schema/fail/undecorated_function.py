"""Nodes."""

def size() -> int:
    """Return a size."""
    ...
