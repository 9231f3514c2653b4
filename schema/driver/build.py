"""From a program to a library: the pipeline of passes, the code generator and the compiler."""

from schema.ir.function import BaseFuncNode
from schema.ir.module import IRModuleNode
from schema.target.target import TargetNode
from schema.transform.passes import PassNode
from tschema import function, ty


@function
def default_pipeline(target: ty.Optional[TargetNode] = None) -> ty.Array[PassNode]:
    """
    Return the passes that `lower` runs by default, in order.

    Parameters
    ----------
    target
        The machine; None for this one.

    Returns
    -------
    pipeline
        The passes.
    """
    ...


@function
def lower(
    input: ty.Union[IRModuleNode, BaseFuncNode, ty.Array[ty.Object]],
    target: ty.Optional[TargetNode] = None,
    pipeline: ty.Optional[ty.Array[PassNode]] = None,
    tuned: ty.Optional[ty.Union[ty.String, ty.Array[ty.Map[ty.String, ty.Any]]]] = None,
) -> IRModuleNode:
    """
    Lower a program to functions that a code generator takes.

    Parameters
    ----------
    input
        A module, a function, or the parameters of a function: tensors and variables of tensor
        expressions, the results last.
    target
        The machine; None for this one.
    pipeline
        The passes to run; None for those of `default_pipeline`.
    tuned
        Rows of parameters that come before those of the library, as `ScheduleOptions.rows` has
        them; or the path of a file of JSON with an array of rows, or with the tuned kernels
        that `uir tune` wrote. None for the rows of the context.

    Returns
    -------
    module
        The lowered module. A single function is named `main`, or by its `global_symbol`.

    Raises
    ------
    TypeError
        If `input` has an element that is neither a tensor nor a variable.
    ValueError
        If `tuned` is wrong or for another machine, `input` is an empty array, or a pass finds a
        mistake in the program.
    """
    ...


@function
def build(
    input: ty.Union[IRModuleNode, BaseFuncNode, ty.Array[ty.Object]],
    target: ty.Optional[TargetNode] = None,
    pipeline: ty.Optional[ty.Array[PassNode]] = None,
    tuned: ty.Optional[ty.Union[ty.String, ty.Array[ty.Map[ty.String, ty.Any]]]] = None,
) -> ty.Module:
    """
    Compile a program into a module, and load it.

    Parameters
    ----------
    input
        A module, a function, or the parameters of a function: tensors and variables of tensor
        expressions, the results last.
    target
        The machine; None for this one.
    pipeline
        The passes to run; None for those of `default_pipeline`.
    tuned
        Rows of parameters that come before those of the library, as `ScheduleOptions.rows` has
        them; or the path of a file of JSON with an array of rows, or with the tuned kernels
        that `uir tune` wrote. None for the rows of the context.

    Returns
    -------
    module
        The module. It has a function for each one of the program with the attribute
        `global_symbol`; a single function without it is called `main`.

    Raises
    ------
    TypeError
        If `input` has an element that is neither a tensor nor a variable.
    ValueError
        If `tuned` is wrong or for another machine, `input` is an empty array, a pass finds a
        mistake in the program, no function has a `global_symbol`, or the code generator does
        not support the lowered program.
    RuntimeError
        If there is no compiler, or it fails; `compile_c` describes the message.
    """
    ...
