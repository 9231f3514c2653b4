"""Nodes."""

from tschema import function


@function
def ir() -> int:
    """Return one."""
    ...
