"""A file."""

from tschema import Object, declare, field, ty


@declare
class Kind(ty.IntEnum):
    """A kind."""

    ONE = 1
    MANY = 300


@declare
class ItemNode(Object):
    """An item."""

    type_key = "toy.Item"


@declare
class OtherNode(Object):
    """Another one."""

    type_key = "toy.Other"
    ref_name = "Item"


@declare
class ThirdNode(Object):
    """A third one.

    Attributes
    ----------
    small, text, missing
        Casts.
    """

    type_key = "toy.Third"
    ref_name = "ThirdNode"
    cpp_base = "acme::Base;"
    small: ty.uint8_t = int(Kind.MANY)
    text: ty.String = int(Kind.ONE)
    missing: ty.int64_t = field(default=int(Kind.NONE))
