"""A field of every type, and functions that take each object apart and build it again."""

from schema.kinds import Extreme, Order
from schema.kinds import str as word
from tschema import Object, declare, field, function, ty


@declare
class LeafNode(Object):
    """
    A node without further nodes.

    Attributes
    ----------
    value
        Tells one leaf from another.
    """

    type_key = "zoo.Leaf"
    value: ty.int64_t


@declare
class PlainNode(Object):
    """
    Values that are stored as they are.

    Attributes
    ----------
    flag
        A truth value.
    i8, i16, i32, i64
        Signed integers.
    u8, u16, u32, u64
        Unsigned integers.
    f32, f64
        Floating-point numbers.
    dtype
        A data type.
    device
        A device.
    order, extreme
        Members of enums.
    """

    type_key = "zoo.Plain"
    flag: ty.bool = False
    i8: ty.int8_t = 0
    u8: ty.uint8_t = 0
    i16: ty.int16_t = 0
    u16: ty.uint16_t = 0
    i32: ty.int32_t = 0
    u32: ty.uint32_t = 0
    i64: ty.int64_t = 0
    u64: ty.uint64_t = 0
    f32: ty.float32 = 0.0
    f64: ty.float64 = 0.0
    dtype: ty.DataType = "int32"
    order: Order = Order.FIRST
    extreme: Extreme = Extreme.NONE
    device: ty.Optional[ty.Device] = None


@declare
class DeviceNode(Object):
    """
    A device that is always there.

    Attributes
    ----------
    device
        Where data lies.
    """

    type_key = "zoo.Device"
    device: ty.Device


@declare
class ValuesNode(Object):
    """
    Values of 16 bytes that are always there.

    Attributes
    ----------
    text
        Unicode.
    data
        Bytes.
    anything
        Any value of tvm-ffi.
    either
        One of four.
    """

    type_key = "zoo.Values"
    text: ty.String = ""
    data: ty.Bytes = b""
    anything: ty.Any = None
    either: ty.Union[ty.bool, ty.int64_t, ty.String, LeafNode] = 0


@declare
class OptionalsNode(Object):
    """
    Values that may be absent.

    Attributes
    ----------
    flag, i8, u8, i64, u64, f32, f64
        Numbers.
    dtype, order, extreme
        A data type, members of enums.
    text, data
        Unicode, bytes.
    either
        One of two.
    leaf, leaves, numbers
        A node, and containers.
    """

    type_key = "zoo.Optionals"
    flag: ty.Optional[ty.bool] = None
    i8: ty.Optional[ty.int8_t] = None
    u8: ty.Optional[ty.uint8_t] = None
    i64: ty.Optional[ty.int64_t] = None
    u64: ty.Optional[ty.uint64_t] = None
    f32: ty.Optional[ty.float32] = None
    f64: ty.Optional[ty.float64] = None
    dtype: ty.Optional[ty.DataType] = None
    order: ty.Optional[Order] = None
    extreme: ty.Optional[Extreme] = None
    text: ty.Optional[ty.String] = None
    data: ty.Optional[ty.Bytes] = None
    either: ty.Optional[ty.Union[ty.String, LeafNode]] = None
    leaf: ty.Optional[LeafNode] = None
    leaves: ty.Optional[ty.Array[LeafNode]] = None
    numbers: ty.Optional[ty.Dict[ty.String, ty.int64_t]] = None


@declare
class ReferencesNode(Object):
    """
    References to objects.

    Attributes
    ----------
    leaf
        A declared node.
    anything
        Any object.
    call
        A function.
    tensor
        A tensor.
    dims
        A shape.
    library
        A compiled module.
    """

    type_key = "zoo.References"
    leaf: LeafNode
    anything: ty.Object
    call: ty.Function
    tensor: ty.Tensor
    dims: ty.Shape
    library: ty.Module


@declare
class ContainersNode(Object):
    """
    Containers, nested ones too.

    Attributes
    ----------
    array, texts, leaves
        Immutable, in order.
    map
        Immutable, by key.
    list
        Mutable, in order.
    dict
        Mutable, by key.
    row
        Of fixed length.
    nested
        Containers of containers.
    mixed
        Values of several types, some of them absent.
    """

    type_key = "zoo.Containers"
    array: ty.Array[ty.int64_t]
    texts: ty.Array[ty.String]
    leaves: ty.Array[LeafNode]
    map: ty.Map[ty.String, LeafNode]
    list: ty.List[ty.float64]
    dict: ty.Dict[ty.String, ty.Any]
    row: ty.Tuple[ty.int64_t, ty.String, LeafNode]
    nested: ty.Map[ty.String, ty.Array[ty.Map[ty.int64_t, ty.List[ty.Bytes]]]]
    mixed: ty.Array[ty.Optional[ty.Union[ty.int64_t, ty.String, LeafNode]]]


@declare
class CheckedNode(Object):
    """
    Containers of values that have a range.

    Attributes
    ----------
    small
        In an array.
    orders
        By name.
    pair
        Of fixed length.
    either
        One of two.
    """

    type_key = "zoo.Checked"
    small: ty.Array[ty.uint8_t]
    orders: ty.Map[ty.String, Order]
    pair: ty.Tuple[ty.int8_t, Order]
    either: ty.Union[ty.uint8_t, ty.String]


@declare
class ReservedNode(Object):
    """
    Fields whose names C++ or Rust reserve.

    Attributes
    ----------
    template, NULL
        Names that C++ reserves.
    match, crate
        Names that Rust reserves.
    operator
        A parameter of the same name hands it on.
    delete, typeof
        Names with a default.
    """

    type_key = "zoo.Reserved"
    template: ty.String
    match: ty.Optional[LeafNode]
    crate: ty.int64_t
    NULL: ty.Array[ty.int64_t]
    operator: ty.Any
    delete: ty.bool = False
    typeof: ty.int64_t = 7


@declare
class SelfNode(Object):
    """A class whose name Rust reserves, and the root of a family."""

    type_key = "zoo.Self"
    abstract = True
    dispatch = True


@declare
class NoneNode(SelfNode):
    """A class whose name Python reserves."""

    type_key = "zoo.None"
    unique: ty.int64_t = field(doc="A name that generated C++ uses itself.")


@declare
class deleteNode(SelfNode):
    """A class whose name C++ reserves."""

    type_key = "zoo.delete"
    clone: ty.Array[SelfNode] = field(doc="A name that generated Rust uses itself.")
    kind: word = field(default=word.name, doc="A member with a name that Python reserves.")


@declare
class OptionNode(Object):
    """A class whose name generated Rust uses itself."""

    type_key = "zoo.Option"
    new: SelfNode = field(doc="An object of a class below.")
    none: ty.Optional[NoneNode] = field(default=None, doc="Another one.")


@declare
class SlotsNode(Object):
    """
    Fields that can be written.

    Attributes
    ----------
    flag, i8, u8, i16, u16, i32, u32, i64, u64, f32, f64
        Numbers.
    dtype, order, extreme
        A data type, members of enums.
    text, data, anything
        Values of 16 bytes.
    maybe, maybe_order
        Values that may be absent.
    leaf
        A node.
    leaves
        A container.
    """

    type_key = "zoo.Slots"
    mutable = True
    leaf: LeafNode
    leaves: ty.Array[LeafNode]
    flag: ty.bool = False
    i8: ty.int8_t = 0
    u8: ty.uint8_t = 0
    i16: ty.int16_t = 0
    u16: ty.uint16_t = 0
    i32: ty.int32_t = 0
    u32: ty.uint32_t = 0
    i64: ty.int64_t = 0
    u64: ty.uint64_t = 0
    f32: ty.float32 = 0.0
    f64: ty.float64 = 0.0
    dtype: ty.DataType = "int32"
    order: Order = Order.FIRST
    extreme: Extreme = Extreme.NONE
    text: ty.String = ""
    data: ty.Bytes = b""
    anything: ty.Any = None
    maybe: ty.Optional[ty.uint8_t] = None
    maybe_order: ty.Optional[Order] = None


@function
def rebuild_plain(node: PlainNode) -> PlainNode:
    """Read every field and construct the like."""
    ...


@function
def rebuild_device(node: DeviceNode) -> DeviceNode:
    """Read every field and construct the like."""
    ...


@function
def rebuild_values(node: ValuesNode) -> ValuesNode:
    """Read every field and construct the like."""
    ...


@function
def rebuild_optionals(node: OptionalsNode) -> OptionalsNode:
    """Read every field and construct the like."""
    ...


@function
def rebuild_references(node: ReferencesNode) -> ReferencesNode:
    """Read every field and construct the like."""
    ...


@function
def rebuild_containers(node: ContainersNode) -> ContainersNode:
    """Read every field and construct the like, element by element."""
    ...


@function
def rebuild_checked(node: CheckedNode) -> CheckedNode:
    """Read every field and construct the like, element by element."""
    ...


@function
def rebuild_reserved(node: ReservedNode) -> ReservedNode:
    """Build an object from the fields of another one."""
    ...


@function
def rebuild_option(node: OptionNode) -> OptionNode:
    """Build an object from the fields of another one, and those of its fields."""
    ...


@function
def replace_operator(match: ReservedNode, operator: ty.Any) -> ReservedNode:
    """
    Return a copy with another operator.

    Parameters
    ----------
    match
        The object.
    operator
        The operator.
    """
    ...


@function
def sizes(node: ValuesNode) -> ty.Tuple[ty.int64_t, ty.int64_t]:
    """Return the lengths of the text and of the data, in bytes."""
    ...


@function
def make_tensor(dims: ty.Shape, dtype: ty.DataType) -> ty.Tensor:
    """Make a tensor of zeros on the CPU."""
    ...
