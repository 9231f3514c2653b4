"""Comes first, since `a` imports it."""

import tschema as ts
from schema.top import TopNode as Parent
from tschema import ty as types


@ts.declare
class BNode(Parent):
    """Renamed imports.

    Attributes
    ----------
    value
        A value.
    """

    type_key = "toy.ir.B"
    final = False
    value: types.int8_t


@ts.declare
class Kind(types.IntEnum):
    """A kind."""

    ONE = 1
