"""Kinds of classes that contradict each other, or what they inherit."""

from tschema import Object, declare, field, method, static, ty


@declare
class Color(ty.IntEnum):
    """A color without a zero."""

    RED = 1


@declare
class PlainNode(Object):
    """A node that takes its field."""

    type_key = "toy.Plain"
    final = False
    x: ty.int64_t = field(doc="Its place.")
    y: ty.int64_t = field(cpp_init="7", doc="Its place.")


@declare
class FilledNode(PlainNode):
    """Its parent's constructor takes an argument."""

    type_key = "toy.Filled"
    default_constructible = True


@declare
class SettingsNode(Object):
    """Members without a useful value."""

    type_key = "toy.Settings"
    final = False
    default_constructible = True
    color: Color = field(doc="No member is 0.")
    dtype: ty.DataType = field(doc="No data type.")


@declare
class MoreSettingsNode(SettingsNode):
    """Below a class that is filled in."""

    type_key = "toy.MoreSettings"
    default_constructible = False


@declare
class RunsNode(Object):
    """It has virtual functions."""

    type_key = "toy.Runs"
    final = False
    polymorphic = True


@declare
class StillNode(RunsNode):
    """It inherits them."""

    type_key = "toy.Still"
    polymorphic = False


@declare
class RootNode(Object):
    """The root of functors."""

    type_key = "toy.Root"
    dispatch = True
    ref = None


@declare
class VirtualNode(RootNode):
    """A table pointer begins below the root."""

    type_key = "toy.Virtual"
    polymorphic = True


@declare
class OtherNode(Object):
    """A class of another library, without a size, with methods."""

    type_key = "other.Thing"
    extern = "other/thing.h"
    mutable = True

    @method
    def size(self) -> ty.int64_t:
        """Return its size."""
        ...


@declare
class SmallNode(Object):
    """A class of another library, which is too small for its fields."""

    type_key = "other.Small"
    extern = "other/small.h"
    size = 32
    a: ty.int64_t = field(doc="A field.")
    b: ty.int64_t = field(doc="A field.")


@declare
class SizedNode(Object):
    """A size of a class that the package has."""

    type_key = "toy.Sized"
    size = 48


@declare
class CopiedNode(Object):
    """It is copied on write, and has a subclass."""

    type_key = "toy.Copied"
    final = False
    cow = True


@declare
class BareNode(Object):
    """It has no reference class."""

    type_key = "toy.Bare"
    ref = None
    ref_init = "hand"
    cow = True


@declare
class HiddenNode(Object):
    """C++ alone knows it."""

    type_key = "toy.Hidden"
    final = False
    register = False


@declare
class SeenNode(HiddenNode):
    """It is registered below a class that is not."""

    type_key = "toy.Seen"
    bare: BareNode = field(doc="It has no reference.")
    size: ty.int64_t = field(cpp_init="", doc="Its initializer is empty.")

    @method(cpp=3)
    def first(self) -> ty.int64_t:
        """Return something."""
        ...

    @method(spp="&SeenNode::Second")
    def second(self) -> BareNode:
        """Return something."""
        ...

    @static
    def third() -> ty.int64_t:
        """Return something."""
        ...


@declare
class OddNode(Object):
    """Values that no option has."""

    type_key = "toy.Odd"
    ref = "maybe"
    ref_init = "all"
    extern = "<other/odd.h>"
    size = 44
