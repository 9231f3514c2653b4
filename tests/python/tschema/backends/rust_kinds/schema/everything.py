"""Every field type, one class for each kind of layout."""

from tschema import declare, field, method, ty


@declare
class Mode(ty.IntEnum):
    """A mode.

    Attributes
    ----------
    FAST
        Quick.
    """

    FAST = 1
    SLOW = -2


@declare
class RootNode(ty.Object):
    """A root.

    >>> Root()
    """

    type_key = "kinds.Root"
    abstract = True


@declare
class LeafNode(RootNode):
    """A leaf.

    indented code

    """

    type_key = "kinds.Leaf"


@declare
class ValuesNode(RootNode):
    """Values.

    Attributes
    ----------
    b
        A bool.
    """

    type_key = "kinds.Values"
    b: ty.bool
    i8: ty.int8_t
    i16: ty.int16_t
    i32: ty.int32_t
    i64: ty.int64_t
    u8: ty.uint8_t
    u16: ty.uint16_t
    u32: ty.uint32_t
    u64: ty.uint64_t
    f32: ty.float32
    f64: ty.float64
    dt: ty.DataType
    dev: ty.Device
    s: ty.String
    by: ty.Bytes
    a: ty.Any
    mode: Mode


@declare
class MapNode(RootNode):
    """References."""

    type_key = "kinds.Map"
    leaf: LeafNode
    obj: ty.Object
    fun: ty.Function
    ten: ty.Tensor
    sh: ty.Shape
    mo: ty.Module
    arr: ty.Array[ty.Map[ty.String, ty.Any]]
    mp: ty.Map[ty.String, ty.Array[LeafNode]]
    li: ty.List[ty.int64_t]
    di: ty.Dict[ty.String, ty.Union[ty.String, ty.int64_t]]
    tu: ty.Tuple[ty.String, ty.bool, LeafNode]
    un: ty.Union[ty.String, ty.int64_t, LeafNode]
    arr_tuple: ty.Array[ty.Tuple[LeafNode, ty.Optional[ty.float64]]]

    @method
    def many(
        self,
        a: ty.int64_t,
        b: LeafNode,
        c: ty.String,
        d: ty.Array[LeafNode],
        e: ty.bool,
        f: ty.bool,
        g: ty.bool,
    ) -> ty.Dict[ty.String, ty.int64_t]:
        """Take many."""
        ...

    @method
    def len(self) -> ty.int64_t:
        """Return the length."""
        ...

    @method
    def anyResult(self) -> ty.Any:
        """Return anything."""
        ...


@declare
class OptionalsNode(RootNode):
    """Optionals."""

    type_key = "kinds.Optionals"
    ob: ty.Optional[ty.bool] = None
    oi: ty.Optional[ty.int64_t] = 7
    ou: ty.Optional[ty.uint8_t] = None
    of: ty.Optional[ty.float64] = None
    odt: ty.Optional[ty.DataType] = None
    odev: ty.Optional[ty.Device] = None
    os: ty.Optional[ty.String] = None
    oby: ty.Optional[ty.Bytes] = None
    om: ty.Optional[Mode] = None
    oleaf: ty.Optional[LeafNode] = None
    oarr: ty.Optional[ty.Array[LeafNode]] = None
    omap: ty.Optional[ty.Map[ty.String, LeafNode]] = None
    odict: ty.Optional[ty.Dict[ty.String, LeafNode]] = None
    otu: ty.Optional[ty.Tuple[ty.String, ty.int64_t]] = None
    oun: ty.Optional[ty.Union[ty.String, ty.int64_t]] = None
    ofun: ty.Optional[ty.Function] = None
    oten: ty.Optional[ty.Tensor] = None
    xs: ty.Array[ty.int64_t] = field(default_factory=list)
    names: ty.Dict[ty.String, ty.int64_t] = field(default_factory=dict)
    mode: Mode = Mode.FAST
    dtype: ty.DataType = "int32"
    text: ty.String = "x"
    needed: ty.int64_t = field(kw_only=True)


@declare
class PatternNode(RootNode):
    """Fields that Rust would take for patterns of its own variants."""

    type_key = "kinds.Pattern"
    Some: ty.int64_t
    Ok: ty.String
    Err: ty.int64_t = 1

    @method
    def join(self, Some: ty.int64_t, Err: ty.String) -> ty.int64_t:
        """Return something."""
        ...

    @method
    def names(self) -> ty.Array[ty.String]:
        """Return a container of texts."""
        ...

    @method
    def table(self) -> ty.Optional[ty.Map[ty.String, ty.Object]]:
        """Return a container, or nothing."""
        ...


@declare
class ObjectRefNode(RootNode):
    """A class that is called like one of tvm-ffi."""

    type_key = "kinds.ObjectRef"
    other: ty.Optional[PatternNode] = None
