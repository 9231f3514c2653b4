"""Options, and what children inherit or imply."""

from tschema import Object, declare, ty


@declare
class BaseNode(Object):
    """An open base with two children, one of which has a child."""

    type_key = "toy.Base"
    abstract = True
    dispatch = True
    structural = "dag"


@declare
class MiddleNode(BaseNode):
    """Keeps two slots for other packages."""

    type_key = "toy.Middle"
    reserve = 2
    post_init = True


@declare
class LeafNode(MiddleNode):
    """Final, since nothing inherits from it."""

    type_key = "toy.Leaf"


@declare
class OpenLeafNode(BaseNode):
    """Open although nothing inherits from it; supports no structural equality."""

    type_key = "toy.OpenLeaf"
    final = False
    structural = None
    mutable = True
    renamed_from = "OldNode"


@declare
class AbstractLeafNode(Object):
    """Never final."""

    type_key = "toy.AbstractLeaf"
    abstract = True
    default_visit_attrs = False
    default_sequal_reduce = False
    default_shash_reduce = False


@declare
class VarNode(Object):
    """
    A variable.

    Attributes
    ----------
    name
        Only a hint.
    """

    type_key = "toy.Var"
    structural = "var"
    name: ty.String
