

@declare
class RepeatNode(PrimExprNode):
    """
    Value that is computed several times.

    See Also
    --------
    Repeat

    Attributes
    ----------
    value
        What is computed.
    times
        How often.
    label
        What printers call it.
    """

    type_key = "uir.tir.Repeat"
    value: PrimExprNode
    times: ty.uint8_t
    label: ty.String = field(default="again")
