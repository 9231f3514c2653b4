"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object):
    """A node.

    Attributes
    ----------
    operator
        A field.
    delete
        A field.
    crate
        A field.
    match
        A field.
    assert_
        A field.
    NULL
        A field.
    self
        A field.
    _x
        A field.
    a__b
        A field.
    unique
        A field.
    same_as
        A field.
    größe
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
