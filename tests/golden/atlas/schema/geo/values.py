"""Fields of most types; the other files have the other types of numbers."""

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
    either, neither
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
    flag: ty.bool = False
    device: ty.Device
    dtype: ty.DataType = "float32x4"
    level: Level = Level.SUMMIT
    text: ty.String = 'a "quoted" é\n'
    data: ty.Bytes = b"\x00\xff"
    value: ty.Any = None
    neither: ty.Optional[ty.Union[ty.String, PointNode]] = None
    count: ty.Optional[ty.int64_t] = 3
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
        An array or nothing.
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
    row: ty.Tuple[ty.int64_t, ty.String, PointNode]
    maybe_point: ty.Optional[PointNode] = None
    maybe_points: ty.Optional[ty.Array[PointNode]] = field(default_factory=list)
    log: ty.List[ty.Bytes] = field(default_factory=list)
    levels: ty.Dict[ty.String, Level] = field(default_factory=dict)
    nested: ty.Map[ty.String, ty.Array[ty.Optional[ty.Tuple[ty.bool, ty.List[ty.uint8_t]]]]] = (
        field(default_factory=dict)
    )
