"""Sizes, alignment and padding."""

from tschema import Object, declare, field, ty


@declare
class NarrowNode(Object):
    """Ends off an 8-byte boundary."""

    type_key = "toy.Narrow"
    a: ty.int8_t = field(doc="At 24.")
    b: ty.int16_t = field(doc="At 26.")
    c: ty.DataType = field(doc="At 28.")
    d: ty.Device = field(doc="At 32.")
    e: ty.bool = field(doc="At 40.")


@declare
class EmptyNode(NarrowNode):
    """Adds nothing; the padding of its parent is still there."""

    type_key = "toy.Empty"


@declare
class ChildNode(EmptyNode):
    """Starts at 48, not in the padding."""

    type_key = "toy.Child"
    f: ty.int32_t = field(doc="At 48.")
    g: ty.String = field(doc="At 56.")


@declare
class GrandChildNode(ChildNode):
    """Follows no padding."""

    type_key = "toy.GrandChild"
    h: ty.Optional[ty.Object] = field(doc="At 72.")
    i: ty.Optional[ty.int8_t] = field(doc="At 80.")
    j: ty.Union[int, str] = field(doc="At 96.")
