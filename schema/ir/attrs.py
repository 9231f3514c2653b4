"""Attributes: data that a function, a module or a call carries beside its operands."""

from tschema import Object, declare, ty


@declare
class AttrsNode(Object):
    """
    Base of all collections of attributes.

    See Also
    --------
    Attrs
    """

    type_key = "uir.ir.Attrs"
    abstract = True


@declare
class DictAttrsNode(AttrsNode):
    """
    Attributes by name, without a schema of their own.

    See Also
    --------
    DictAttrs

    Attributes
    ----------
    dict
        The attributes by name; a name that is missing means that nothing is known.
    """

    type_key = "uir.ir.DictAttrs"
    dict: ty.Map[ty.String, ty.Any]
