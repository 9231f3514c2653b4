"""Nodes."""

from tschema import Object, declare


@declare
class IntImmNode(Object):
    """A node."""
