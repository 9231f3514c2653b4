"""Declarations of the package itself."""

from tschema import Object, declare


@declare
class TopNode(Object):
    """Stands directly in the root."""

    type_key = "toy.Top"
    final = False
