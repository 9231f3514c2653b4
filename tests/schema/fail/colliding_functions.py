"""Nodes."""

from tschema import function


@function
def trip_count() -> int:
    """Return one."""
    ...


@function
def tripCount() -> int:
    """Return one."""
    ...
