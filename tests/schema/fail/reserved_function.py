"""Nodes."""

from tschema import function


@function
def delete(a__b: int, var: int) -> None:
    """Delete."""
    ...


@function
def Move() -> None:
    """Move."""
    ...
