"""A field of every type."""

from schema.geo.kinds import Level, Surface
from schema.point import PointNode
from tschema import Object, declare, field, ty


@declare
class NumbersNode(Object):
    """
    Numbers of every width.

    Attributes
    ----------
    i8, i16, i32, i64
        Signed integers.
    u8, u16, u32, u64
        Unsigned integers.
    f32, f64, real
        Floating-point numbers.
    flag
        A truth value.
    """

    type_key = "atlas.geo.Numbers"
    i8: ty.int8_t
    u8: ty.uint8_t
    i16: ty.int16_t
    u16: ty.uint16_t
    i32: ty.int32_t
    u32: ty.uint32_t
    i64: ty.int64_t = -9223372036854775808
    u64: ty.uint64_t = 9223372036854775807
    f32: ty.float32 = -0.5
    f64: ty.float64 = 1e300
    real: ty.double = 2
    flag: ty.bool = False


@declare
class ValuesNode(Object):
    """
    Values that are no numbers.

    Attributes
    ----------
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
    either
        One of three.
    """

    type_key = "atlas.geo.Values"
    device: ty.Device
    either: ty.Union[ty.int64_t, ty.String, PointNode]
    dtype: ty.DataType = "float32x4"
    level: Level = Level.SUMMIT
    text: ty.String = 'a "quoted" é\n'
    data: ty.Bytes = b"\x00\xff"
    value: ty.Any = None


@declare
class ReferencesNode(Object):
    """
    References to objects.

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
    maybe_point
        A node or nothing.
    maybe_points
        An array or nothing.
    """

    type_key = "atlas.geo.References"
    point: PointNode
    anything: ty.Object
    function: ty.Function
    tensor: ty.Tensor
    dims: ty.Shape
    library: ty.Module
    maybe_point: ty.Optional[PointNode] = None
    maybe_points: ty.Optional[ty.Array[PointNode]] = field(default_factory=list)


@declare
class OptionalsNode(Object):
    """
    Values that may be absent.

    Attributes
    ----------
    flag, count, small, ratio
        Numbers.
    dtype, device
        A data type, a device.
    surface
        A member of an enum.
    text, data
        Text, bytes.
    either
        One of two.
    """

    type_key = "atlas.geo.Optionals"
    flag: ty.Optional[ty.bool] = None
    count: ty.Optional[ty.int64_t] = 3
    small: ty.Optional[ty.uint8_t] = None
    ratio: ty.Optional[ty.float32] = None
    dtype: ty.Optional[ty.DataType] = "int32"
    device: ty.Optional[ty.Device] = None
    surface: ty.Optional[Surface] = Surface.PAVED_ROAD
    text: ty.Optional[ty.String] = None
    data: ty.Optional[ty.Bytes] = None
    either: ty.Optional[ty.Union[ty.String, PointNode]] = None


@declare
class ContainersNode(Object):
    """
    Containers, nested and empty.

    Attributes
    ----------
    row
        An address and a point.
    points
        Immutable, in order.
    by_name
        Immutable, by key.
    log
        Mutable, in order.
    levels
        Mutable, by key.
    nested
        Containers of containers.
    """

    type_key = "atlas.geo.Containers"
    row: ty.Tuple[ty.int64_t, ty.String, PointNode]
    points: ty.Array[PointNode] = field(default_factory=list)
    by_name: ty.Map[ty.String, ty.Any] = field(default_factory=dict)
    log: ty.List[ty.Bytes] = field(default_factory=list)
    levels: ty.Dict[ty.String, Level] = field(default_factory=dict)
    nested: ty.Map[ty.String, ty.Array[ty.Optional[ty.Tuple[ty.bool, ty.List[ty.uint8_t]]]]] = (
        field(default_factory=dict)
    )
