"""Structural kinds and flags."""

from tschema import Object, declare, field, ty


@declare
class TermNode(Object):
    """Has no structural behaviour of its own, as the schema RFC's `BaseExpr`."""

    type_key = "atlas.plan.Term"
    abstract = True
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False


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
class BindNode(TermNode):
    """
    Binds names in a term.

    Attributes
    ----------
    name
        Bound in `body`.
    pattern
        Bound, with the variables of its parts.
    comment
        Neither compared nor hashed.
    body
        Where the names hold.
    """

    type_key = "atlas.plan.Bind"
    name: NameNode = field(structural="def")
    pattern: TermNode = field(structural="def_pattern")
    comment: ty.String = field(default="", structural="ignore")
    body: TermNode


@declare
class FixedNode(Object):
    """Equal to nothing but itself."""

    type_key = "atlas.plan.Fixed"
    structural = "unique"


@declare
class ConstantNode(Object):
    """
    Holds no variable.

    Attributes
    ----------
    value
        A literal.
    """

    type_key = "atlas.plan.Constant"
    structural = "const_tree"
    value: ty.Any


@declare
class HandleNode(Object):
    """Cannot be compared, and its methods are written by hand."""

    type_key = "atlas.plan.Handle"
    structural = None
    default_sequal_reduce = False
    default_shash_reduce = False
