"""Colours of shapes."""

from tschema import Object, declare, ty


@declare
class ColorNode(Object):
    """
    A colour.

    Attributes
    ----------
    red
        Share of red, 0 to 255.
    """

    type_key = "toy.Color"

    red: ty.uint8_t
