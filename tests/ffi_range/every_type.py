"""Every field type, with the defaults that it takes."""

# ruff: noqa: E741

from typing import Any, Optional

import tschema
from tschema import Object, declare, field, ty
from tschema.ty import Array, int8_t


@declare
class Kind(ty.IntEnum):
    """
    Some kinds.

    Attributes
    ----------
    NONE
        Nothing at all.
    LEAST
        The least value.
    GREATEST
        The greatest value.
    """

    NONE = 0
    LEAST = -2147483648
    GREATEST = 0x7FFF_FFFF


@declare
class LeafNode(Object):
    """Nothing."""

    type_key = "toy.Leaf"


@declare
class PlainNode(tschema.Object):
    """
    Plain values.

    Attributes
    ----------
    a, b, c, d
        Signed integers.
    e, f, g, h
        Unsigned integers.
    i, j, k
        Floating-point numbers.
    l
        A truth value.
    m
        A data type.
    n
        A device.
    o
        A kind.
    """

    type_key = "toy.Plain"
    n: ty.Device
    a: int8_t = -128
    b: ty.int16_t = 32767
    c: ty.int32_t = -1
    d: ty.int64_t = -9223372036854775808
    e: ty.uint8_t = 255
    f: ty.uint16_t = 65535
    g: ty.uint32_t = 4294967295
    h: ty.uint64_t = 9223372036854775807
    i: ty.float32 = 1.5
    j: ty.float64 = -1e300
    k: ty.double = 1
    l: ty.bool = True
    m: ty.DataType = "float32x4"
    o: Kind = Kind.GREATEST


@declare
class ValuesNode(Object):
    """
    Values of 16 bytes.

    Attributes
    ----------
    s
        A text.
    b
        Bytes.
    x
        Anything.
    o
        An integer or nothing.
    p
        A text or nothing.
    k
        A kind or nothing.
    u
        One of three.
    v
        One of two or nothing.
    """

    type_key = "toy.Values"
    s: ty.String = 'ab"\n\\ é'
    b: ty.Bytes = b"\x00\xff"
    x: ty.Any = None
    o: ty.Optional[ty.int64_t] = None
    p: "ty.String | None" = "x"
    k: ty.Optional[Kind] = Kind.NONE
    u: ty.Union[int, str, LeafNode] = 3
    v: str | LeafNode | None = None


@declare
class ReferencesNode(Object):
    """
    References.

    Attributes
    ----------
    leaf
        A declared node.
    obj
        Any object.
    func
        A function.
    tensor
        A tensor.
    shape
        A shape.
    mod_
        A module.
    maybe
        A node or nothing.
    maybe_list
        A list or nothing.
    """

    type_key = "toy.References"
    leaf: LeafNode
    obj: ty.Object
    func: ty.Function
    tensor: ty.Tensor
    shape: ty.Shape
    mod_: ty.Module
    maybe: Optional["LeafNode"] = None
    maybe_list: ty.Optional[ty.List[int]] = field(default_factory=list)


@declare
class ContainersNode(Object):
    """
    Containers, nested and empty.

    Attributes
    ----------
    a
        Immutable.
    b
        Immutable.
    c
        Mutable.
    d
        Mutable.
    e
        Of fixed length.
    f
        Nested.
    """

    type_key = "toy.Containers"
    e: ty.Tuple[ty.int64_t, ty.String, LeafNode]
    a: Array[LeafNode] = field(default_factory=list)
    b: ty.Map[ty.String, ty.Any] = field(default_factory=dict)
    c: ty.List[Kind] = field(default_factory=list)
    d: ty.Dict[LeafNode, ty.Bytes] = field(default_factory=dict)
    f: ty.Map[str, ty.Array[ty.Optional[ty.Array[ty.Union[int, str]]]]] = field(
        default_factory=dict
    )


@declare
class PythonNode(Object):
    """Plain Python types; documented where they stand."""

    type_key = "toy.Python"
    a: int = field(default=0, doc="An integer.")
    b: float = field(default=0.5, doc="A number.")
    c: str = field(default="", doc="A text.")
    d: bool = field(default=False, doc="A truth value.")
    e: bytes = field(default=b"", doc="Bytes.")
    f: list[int] = field(default_factory=list, doc="Integers.")
    g: dict[str, LeafNode] = field(default_factory=dict, doc="Nodes.")
    h: "int | None" = field(default=None, doc="An integer or nothing.")
    i: tuple[int, str] | None = field(default=None, doc="A pair or nothing.")
    j: int | str = field(default="x", doc="An integer or a text.")
    k: list[dict[str, Any]] = field(default_factory=list, doc="Tables.")
    l: tuple[int] | None = field(default=None, doc="One.")
