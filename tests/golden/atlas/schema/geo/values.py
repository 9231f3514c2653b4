"""Fields of most types, some by Python's names; the other files have the other types of numbers."""

from typing import Any, Dict, List, Optional, Tuple, Union

from schema.geo.kinds import Level
from schema.point import PointNode
from tschema import Object, declare, field, ty


@declare
class ValuesNode(Object):
    """
    Values: those with defaults, those without, and what may be absent or of several types.

    Attributes
    ----------
    i16, u32, i64, u64
        Integers.
    f32, f64
        Floating-point numbers.
    flag
        A truth value.
    dtype
        Of an element.
    device
        Where the data lies.
    level
        How far up.
    text
        In UTF-8.
    data
        Any bytes.
    value
        Anything.
    either, neither, code
        One of several types.
    count, maybe_dtype, maybe_level
        Values that may be absent.
    """

    type_key = "atlas.geo.Values"
    either: ty.Union[ty.int64_t, ty.String, PointNode]
    i16: ty.int16_t
    u32: ty.uint32_t
    i64: ty.int64_t = -9223372036854775808
    u64: ty.uint64_t = 9223372036854775807
    f32: ty.float32 = -0.5
    f64: ty.double = 2
    flag: bool = False
    device: ty.Device
    dtype: ty.DataType = "float32x4"
    level: Level = Level.SUMMIT
    text: str = 'a "quoted" é\n'
    data: bytes = b"\x00\xff"
    value: Any = None
    neither: ty.Optional[ty.Union[ty.String, PointNode]] = None
    code: Union[int, str] = "none"
    count: "int | None" = 3
    maybe_dtype: ty.Optional[ty.DataType] = "int32"
    maybe_level: ty.Optional[Level] = Level.GROUND


@declare
class ReferencesNode(Object):
    """
    References to objects and containers, nested and empty.

    Attributes
    ----------
    point
        A declared node.
    anything
        Any object.
    function
        A function.
    tensor
        A tensor.
    dims
        A shape.
    library
        A compiled module.
    row
        An address and a point.
    maybe_point
        A node or nothing.
    maybe_points
        Maps or nothing.
    log
        Mutable, in order.
    levels
        Mutable, by key.
    nested
        Containers of containers.
    """

    type_key = "atlas.geo.References"
    structural = "const_tree"
    point: PointNode
    anything: ty.Object
    function: ty.Function
    tensor: ty.Tensor
    dims: ty.Shape
    library: ty.Module
    row: Tuple[int, str, PointNode]
    maybe_point: Optional[PointNode] = None
    maybe_points: Optional[List[Dict[str, PointNode]]] = field(default_factory=list)
    log: ty.List[ty.Bytes] = field(default_factory=list)
    levels: ty.Dict[ty.String, Level] = field(default_factory=dict)
    nested: dict[str, ty.Array[ty.Optional[ty.Tuple[ty.bool, ty.List[ty.uint8_t]]]]] = field(
        default_factory=dict
    )
