"""Errors that carry the node at fault."""

from tschema import Object, declare, field, function, ty


@declare
class ErrorContextNode(Object):
    """
    Data that an error carries in addition to its message, across languages.

    See Also
    --------
    ErrorContext

    Attributes
    ----------
    node
        The node at fault, if any.
    exception
        The original exception object of the language that raised it, if any.
    pass_name
        The name of the pass that raised the error; empty outside a pass.
    script
        The script of the enclosing function with the node underlined; may be empty.
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
    Make an error with a context, for languages that cannot attach one.

    Parameters
    ----------
    kind
        The error's kind, such as `ValueError`.
    message
        The error's message.
    backtrace
        The stack frames, innermost first, in tvm-ffi's format.
    context
        The context to attach.

    Returns
    -------
    error
        The error, an object of tvm-ffi.
    """
    ...
