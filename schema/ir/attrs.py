"""Attributes: data that functions, modules and calls carry in addition to their operands."""

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
        The values, by name.
    """

    type_key = "uir.ir.DictAttrs"
    script = "ir.DictAttrs({dict})"
    dict: ty.Map[ty.String, ty.Any]
