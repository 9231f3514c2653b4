"""Errors that know the node at fault."""

from tschema import Object, declare, field, function, ty


@declare
class ErrorContextNode(Object):
    """
    What an error carries beside its message, through all languages.

    See Also
    --------
    ErrorContext

    Attributes
    ----------
    node
        The node at fault, if one is.
    exception
        The exception as the language that raised it knows it; None where there is none.
    pass_name
        The pass in which the error came up; empty while no pass has seen it.
    script
        The script of the function around the node, underlined there; empty where there is none.
    """

    type_key = "uir.ir.ErrorContext"
    structural = None
    node: ty.Optional[ty.Object] = field(default=None)
    exception: ty.Any = field(default=None, repr=False)
    pass_name: ty.String = field(default="")
    script: ty.String = field(default="", repr=False)


@function
def make_error(
    kind: ty.String, message: ty.String, backtrace: ty.String, context: ErrorContextNode
) -> ty.Any:
    """
    Make an error that carries a context, for languages that cannot attach one.

    Parameters
    ----------
    kind
        The error's kind: `ValueError`.
    message
        The error's message.
    backtrace
        The frames that it passed, innermost first, in tvm-ffi's form.
    context
        What the error carries.

    Returns
    -------
    error
        The error, an object of tvm-ffi.
    """
    ...
