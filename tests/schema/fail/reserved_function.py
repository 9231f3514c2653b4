"""Nodes."""

from tschema import function


@function
def delete(a__b: int, var: int) -> None:
    """Delete."""
    ...


@function
def str() -> None:
    """Return text."""
    ...


@function
def Move() -> None:
    """Move."""
    ...
