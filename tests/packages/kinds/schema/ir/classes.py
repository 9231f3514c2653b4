"""Classes of every kind."""

from schema.ir.vendor import ExprNode
from tschema import Object, declare, field, function, method, static, ty


@declare
class Level(ty.IntEnum):
    """How much is said."""

    QUIET = 0
    LOUD = 3


@declare
class MarkedExprNode(ExprNode):
    """An expression with a mark, behind what the other library has.

    Attributes
    ----------
    mark
        The mark.
    """

    type_key = "kinds.ir.MarkedExpr"
    mark: ty.int8_t


@declare
class SpanNode(Object):
    """A place, which a node may lack.

    Attributes
    ----------
    line
        The line, from 1.
    """

    type_key = "kinds.ir.Span"
    ref = "nullable"
    line: ty.int64_t


@declare
class PairNode(Object):
    """A pair that is copied when it is shared and written.

    Attributes
    ----------
    left
        The left one.
    right
        The right one.
    """

    type_key = "kinds.ir.Pair"
    cow = True
    ref_init = "hand"
    left: ty.Any
    right: ty.Any

    @static
    @method
    def twice(value: ty.int64_t) -> "PairNode":
        """Return a pair of equal numbers.

        Parameters
        ----------
        value
            The number.
        """
        ...

    @method(
        cpp="[](const PairNode* self) { return ffi::Array<ffi::Any>{self->left, self->right}; }"
    )
    def both(self) -> ty.Array[ty.Any]:
        """Return both."""
        ...

    @method(cpp="static_cast<int64_t (PairNode::*)(int64_t) const>(&PairNode::Count)")
    def count(self, more: ty.int64_t = 0) -> ty.int64_t:
        """Return how many there are.

        Parameters
        ----------
        more
            What to add.
        """
        ...


@declare
class ConfigNode(Object):
    """Settings that are filled in.

    Attributes
    ----------
    level
        How much is said.
    name
        The name.
    limit
        The limit.
    ratio
        The ratio.
    tags
        The tags.
    span
        Where it was written.
    pair
        What it is for.
    expr
        What it applies to.
    """

    type_key = "kinds.ir.Config"
    default_constructible = True
    mutable = True
    final = False
    level: Level
    name: ty.String
    limit: ty.int32_t = field(cpp_init="kDefaultLimit")
    ratio: ty.float64 = 0.5
    tags: ty.Array[ty.String]
    span: SpanNode
    pair: PairNode
    expr: ExprNode


@declare
class TunedConfigNode(ConfigNode):
    """Settings with one more, and another default.

    Attributes
    ----------
    ratio
        The ratio.
    extra
        One more.
    """

    type_key = "kinds.ir.TunedConfig"
    ratio: ty.float64 = 0.75
    extra: ty.Map[ty.String, ty.int64_t]


@declare
class CheckedNode(ExprNode):
    """An expression of the other library that is filled in, and then checked.

    Attributes
    ----------
    width
        The width.
    area
        The width, squared.
    """

    type_key = "kinds.ir.Checked"
    default_constructible = True
    post_init = True
    width: ty.int64_t = 2
    area: ty.int64_t = field(init=False)


@declare
class NoteNode(Object):
    """A note, which may lack everything and may be null.

    Attributes
    ----------
    span
        Where it stands.
    text
        The text.
    """

    type_key = "kinds.ir.Note"
    ref = "nullable"
    span: SpanNode = field(default=None)
    text: ty.String = ""


@declare
class GoalNode(Object):
    """What is to be reached; C++ cannot make one.

    Attributes
    ----------
    limit
        The limit.
    """

    type_key = "kinds.ir.Goal"
    abstract = True
    polymorphic = True
    default_constructible = True
    limit: ty.int32_t = field(cpp_init="kDefaultLimit")

    @method(cpp="&GoalNode::Reach")
    def reach(self) -> ty.int64_t:
        """Return how far it reaches."""
        ...


@declare
class NearGoalNode(GoalNode):
    """A goal that is near."""

    type_key = "kinds.ir.NearGoal"


@declare
class StepNode(Object):
    """Something that runs.

    Attributes
    ----------
    is_fast
        Whether it is fast.
    """

    type_key = "kinds.ir.Step"
    abstract = True
    dispatch = True
    polymorphic = True
    is_fast: ty.bool

    @method(cpp="&StepNode::Run")
    def run(self, value: ty.int64_t) -> ty.int64_t:
        """Run it.

        Parameters
        ----------
        value
            What to start with.
        """
        ...


@declare
class AddStepNode(StepNode):
    """Adds.

    Attributes
    ----------
    is_exact
        Whether it is exact.
    amount
        How much.
    span
        Where.
    """

    type_key = "kinds.ir.AddStep"
    is_exact: ty.bool
    amount: ty.int64_t
    span: SpanNode


@declare
class BothStepsNode(StepNode):
    """Runs two steps.

    Attributes
    ----------
    first
        The first one.
    second
        The second one.
    """

    type_key = "kinds.ir.BothSteps"
    first: StepNode
    second: StepNode


@declare
class HandNode(Object):
    """Its reference is written by hand.

    Attributes
    ----------
    value
        The value.
    """

    type_key = "kinds.ir.Hand"
    ref = "hand"
    value: ty.int64_t


@declare
class LonelyNode(Object):
    """It has no reference class.

    Attributes
    ----------
    value
        The value.
    hand
        The other one.
    """

    type_key = "kinds.ir.Lonely"
    ref = None
    value: ty.int64_t
    hand: HandNode


@declare
class HiddenNode(Object):
    """C++ alone knows it.

    Attributes
    ----------
    value
        The value.
    """

    type_key = "kinds.ir.Hidden"
    register = False
    value: ty.int64_t


@declare
class HolderNode(Object):
    """Holds what is hidden.

    Attributes
    ----------
    hidden
        The object.
    config
        The settings.
    """

    type_key = "kinds.ir.Holder"
    hidden: HiddenNode
    config: ConfigNode


@declare
class BareNode(Object):
    """It is made by `make_object` alone.

    Attributes
    ----------
    value
        The value.
    """

    type_key = "kinds.ir.Bare"
    ref_init = None
    value: ty.int64_t


@function
def make_holder(value: ty.int64_t) -> HolderNode:
    """Make a holder in C++.

    Parameters
    ----------
    value
        What is hidden.
    """
    ...


@function
def check_config(config: ConfigNode) -> ty.String:
    """Describe settings, as C++ reads them.

    Parameters
    ----------
    config
        The settings.
    """
    ...


@function
def check_in_cpp() -> None:
    """Check in C++ what C++ alone can do."""
    ...
