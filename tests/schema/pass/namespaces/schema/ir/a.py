"""Comes second."""

import schema.ir.b
from schema.ir import b
from tschema import declare, field, ty


@declare
class ANode(schema.ir.b.BNode):
    """Names of modules.

    Attributes
    ----------
    other
        Another one.
    kind
        Its kind.
    """

    type_key = "toy.ir.A"
    other: ty.Optional[b.BNode] = None
    kind: b.Kind = field(default=b.Kind.ONE)
