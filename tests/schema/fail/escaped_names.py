"""Names that are equal in a language once it has spelled those that it reserves."""

from tschema import Object, declare, function, method, ty


@declare
class PointNode(Object):
    """A node."""

    type_key = "toy.Point"
    template: ty.int64_t
    template_: ty.int64_t
    crate: ty.int64_t
    crate_: ty.int64_t
    match: ty.int64_t
    match_: ty.int64_t


@declare
class OptionNode(Object):
    """A node."""

    type_key = "toy.Option"


@declare
class AnyNode(Object):
    """A node."""

    type_key = "toy.Option_"

    @method
    def new(self) -> None:
        """Do something."""
        ...

    @method
    def new_(self) -> None:
        """Do something."""
        ...


@declare
class Kind(ty.IntEnum):
    """A kind."""

    name = 1
    name_ = 2
    Self = 3
    Self_ = 4


@function
def measure(operator: ty.int64_t, operator_: ty.int64_t) -> None:
    """Measure."""
    ...
