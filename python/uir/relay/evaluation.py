"""`evaluate`: run relay on NumPy arrays, for tests and debugging."""

from __future__ import annotations

from typing import TYPE_CHECKING

from uir_nodes.ir import IRModule
from uir_nodes.relay import Function

if TYPE_CHECKING:
    from .interpreter import Value

__all__ = ["evaluate"]


def evaluate(target: IRModule | Function, *args: object, name: str | None = None) -> Value:
    """Run a function on arrays, operator by operator, as `uir.relay.reference` computes them.

    Nothing is compiled. Each result is compared with its type, so that a wrong rule shows where
    it is used. An operator without a reference runs by its rule `scalar`, `compute` or
    `decompose`. An `ExternFunc` runs if its name is a registered global function.

    Parameters
    ----------
    target
        A function, or a module whose functions may call each other.
    args
        The arguments: arrays, or what NumPy makes an array of; a tuple for a tuple.
    name
        The function of a module that is run: by default the only function of relay, or `main`.

    Returns
    -------
    Value
        An array, or a tuple of values.

    Raises
    ------
    ImportError
        If NumPy is not installed.
    TypeError
        If the arguments do not fit the parameters, a value does not have its type, or a call
        reaches a function of another dialect.
    ValueError
        If the module has no such function, an operator refuses its operands, or dimensions
        contradict the assumptions of a function's types: `InferType` keeps unproved assumptions in
        the attribute `shape_assumptions`, which each call checks. The message names the parameters,
        the dimensions and their values.

    Examples
    --------
    >>> x = relay.Var("x", relay.Tensor((2,), "float32"))
    >>> relay.evaluate(relay.Function([x], relay.Block([], relay.exp(x))), np.zeros(2, "float32"))
    array([1., 1.], dtype=float32)
    """
    try:
        import numpy  # noqa: F401
    except ModuleNotFoundError as error:
        message = "`relay.evaluate` needs NumPy: install `uir[numpy]`"
        raise ImportError(message) from error
    from .interpreter import Interpreter, entry

    module, function = entry(target, name)
    value: Value = Interpreter(module).run(function, args)
    return value
