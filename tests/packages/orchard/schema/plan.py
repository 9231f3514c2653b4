"""Two families of functors: steps include the terms in them."""

from tschema import Object, declare, field, ty


@declare
class TermNode(Object):
    """What has a value."""

    type_key = "orchard.Term"
    abstract = True
    dispatch = True


@declare
class NameNode(TermNode):
    """
    A variable.

    Attributes
    ----------
    hint
        How it is printed.
    """

    type_key = "orchard.Name"
    structural = "var"
    hint: ty.String


@declare
class SpanNode(Object):
    """
    A part: no term, but made of terms.

    Attributes
    ----------
    first, last
        Its ends.
    """

    type_key = "orchard.Span"
    first: TermNode
    last: ty.Optional[TermNode] = None


@declare
class PlotNode(Object):
    """
    A variable that is not a term: visited where it is bound.

    Attributes
    ----------
    rows
        How many there are.
    """

    type_key = "orchard.Plot"
    structural = "var"
    rows: ty.Array[TermNode]


@declare
class PickNode(TermNode):
    """
    Every shape of a field that holds terms.

    Attributes
    ----------
    plot
        A use.
    several, by_name, by_term, nested, pair, either, maybe_several
        Containers.
    maybe, spans, anything, count
        What may be absent, parts, and what is not visited.
    """

    type_key = "orchard.Pick"
    plot: PlotNode
    several: ty.List[TermNode]
    by_name: ty.Map[ty.String, TermNode]
    by_term: ty.Dict[NameNode, TermNode]
    nested: ty.Array[ty.Array[TermNode]]
    pair: ty.Tuple[TermNode, ty.int64_t]
    either: ty.Union[TermNode, ty.String]
    spans: ty.Array[SpanNode]
    anything: ty.Any
    maybe: ty.Optional[TermNode] = None
    maybe_several: ty.Optional[ty.Array[TermNode]] = None
    count: ty.int64_t = 1


@declare
class GraftNode(TermNode):
    """
    Open to other packages: copied by its class.

    Attributes
    ----------
    stock
        What is grafted on.
    """

    type_key = "orchard.Graft"
    final = False
    stock: TermNode


@declare
class DoubleGraftNode(GraftNode):
    """
    Has more to visit than what it is derived from.

    Attributes
    ----------
    scion
        What is grafted.
    """

    type_key = "orchard.DoubleGraft"
    final = False
    scion: TermNode


@declare
class TripleGraftNode(DoubleGraftNode):
    """Has nothing more to visit."""

    type_key = "orchard.TripleGraft"


@declare
class LabelNode(TermNode):
    """
    Has a field that is set after construction, which a copy keeps.

    Attributes
    ----------
    text
        What it says.
    checked
        What was found about it.
    """

    type_key = "orchard.Label"
    text: TermNode
    checked: ty.Optional[TermNode] = field(default=None, init=False)


@declare
class StepNode(Object):
    """What is done."""

    type_key = "orchard.Step"
    abstract = True
    dispatch = True


@declare
class PlantNode(StepNode):
    """
    Binds a plot and names.

    Attributes
    ----------
    plot
        Bound.
    others
        Bound too.
    name
        A term that is declared as one of its own type.
    body
        The steps that follow.
    """

    type_key = "orchard.Plant"
    plot: PlotNode = field(structural="def")
    others: ty.Array[PlotNode] = field(structural="def_pattern")
    name: NameNode = field(structural="def")
    body: ty.Array[StepNode]


@declare
class HarvestNode(StepNode):
    """
    Uses a term.

    Attributes
    ----------
    term
        The term.
    note
        Ignored: not visited.
    """

    type_key = "orchard.Harvest"
    term: TermNode
    note: ty.Optional[TermNode] = field(default=None, kw_only=True, structural="ignore")
