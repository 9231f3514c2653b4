"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    operator, delete, crate, match, assert_, NULL, self, _x, a__b, unique, same_as, größe
        A field.
    """

    type_key = "toy.A"
    operator: int
    delete: int
    crate: int
    match: int
    assert_: int
    NULL: int
    self: int
    _x: int
    a__b: int
    unique: int
    same_as: int
    größe: int
