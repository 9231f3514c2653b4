"""Nodes."""

from tschema import function, ty


@function
def size(a: ty.uint8_t = 256, b: ty.String = None) -> int:
    """Return a size."""
    ...
