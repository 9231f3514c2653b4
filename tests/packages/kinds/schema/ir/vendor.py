"""A class of another library."""

from tschema import Object, declare, ty


@declare
class ExprNode(Object):
    """An expression of another library.

    Attributes
    ----------
    name
        The name.
    """

    type_key = "vendor.Expr"
    extern = "vendor/vendor.h"
    size = 72
    ref = "nullable"
    name: ty.String
