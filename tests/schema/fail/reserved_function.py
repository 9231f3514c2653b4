"""Nodes."""

from tschema import function


@function
def delete(crate: int, var: int) -> None:
    """Delete."""
    ...


@function
def Move() -> None:
    """Move."""
    ...
