"""Structural flags, and a family of functors."""

from tschema import Object, declare, field, ty


@declare
class TermNode(Object):
    """What has a value."""

    type_key = "atlas.plan.Term"
    abstract = True
    dispatch = True


@declare
class NameNode(TermNode):
    """
    A variable, the same only as itself or as what it is bound to.

    Attributes
    ----------
    hint
        How it is printed.
    """

    type_key = "atlas.plan.Name"
    structural = "var"
    hint: ty.String


@declare
class PlotNode(Object):
    """A variable that is not a term: visited where it is bound."""

    type_key = "atlas.plan.Plot"
    structural = "var"
    rows: ty.Array[TermNode] = field(doc="How many there are.")


@declare
class PlantNode(TermNode):
    """
    Binds a name and plots.

    Attributes
    ----------
    name
        Bound.
    plots
        Bound, with the variables of their parts.
    use
        A plot that is bound elsewhere.
    by_name, several
        Terms in containers.
    checked
        Set after construction; a copy keeps it.
    note
        Neither compared, hashed nor visited.
    """

    type_key = "atlas.plan.Plant"
    name: NameNode = field(structural="def")
    plots: ty.Array[PlotNode] = field(structural="def_pattern")
    use: PlotNode
    by_name: ty.Map[ty.String, TermNode]
    several: ty.Optional[ty.Array[TermNode]] = None
    checked: ty.Optional[TermNode] = field(default=None, init=False)
    note: ty.Optional[TermNode] = field(default=None, kw_only=True, structural="ignore")


@declare
class GraftNode(TermNode):
    """Open to other packages: copied by its class."""

    type_key = "atlas.plan.Graft"
    final = False
    stock: TermNode = field(doc="What is grafted on.")
