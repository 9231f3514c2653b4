"""Making tensors: from outside, by expressions over indices, by statements.

In: numbers where expressions are meant, Python functions of indices and buffers.  Out: tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, cast, overload

from uir.tir import Operand, as_expr, decl_buffer
from uir_nodes.ir import IntImm, PrimExpr, Range
from uir_nodes.te import ComputeOp, ExternOp, PlaceholderOp, Tensor
from uir_nodes.tir import Buffer, Evaluate, IterVar, IterVarType, PrimFunc, SizeVar, Stmt, Var

from . import _ffi_api

if TYPE_CHECKING:
    from typing import Any

    from tvm_ffi import dtype as DataType

__all__ = [
    "compute",
    "create_prim_func",
    "extern",
    "placeholder",
    "reduce_axis",
    "size_var",
    "thread_axis",
    "var",
]


def _extents(shape: Sequence[Operand] | Operand) -> list[PrimExpr]:
    """Return a shape as expressions; a number alone stands for one dimension."""
    given = shape if isinstance(shape, Sequence) else (shape,)
    return [as_expr(extent) for extent in given]


def var(name: str = "n", dtype: DataType | str = "int32") -> Var:
    """Make a variable, such as an extent that is not known yet.

    Parameters
    ----------
    name
        What printers call it.
    dtype
        The data type of the value.

    Returns
    -------
    Var
        The variable.
    """
    return Var(name, dtype)


def size_var(name: str = "n", dtype: DataType | str = "int32") -> SizeVar:
    """Make a variable that is never negative.

    Parameters
    ----------
    name
        What printers call it.
    dtype
        The data type of the value, a scalar integer.

    Returns
    -------
    SizeVar
        The variable.
    """
    return SizeVar(name, dtype)


def placeholder(
    shape: Sequence[Operand] | Operand,
    dtype: DataType | str = "float32",
    name: str = "placeholder",
) -> Tensor:
    """Make a tensor that is given from outside.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first; a number alone stands for one dimension.
    dtype
        The data type of an element.
    name
        What printers call it.

    Returns
    -------
    Tensor
        The tensor.

    Raises
    ------
    TypeError
        If an extent is no scalar integer.
    """
    extents = _extents(shape)
    return Tensor(PlaceholderOp(name, extents, dtype))


def reduce_axis(dom: tuple[Operand, Operand] | Range | Operand, name: str = "k") -> IterVar:
    """Make an axis for reductions.

    Parameters
    ----------
    dom
        The first index and the one behind the last, or a range; a number alone is the number of
        indices from 0 on.
    name
        What printers call its variable.

    Returns
    -------
    IterVar
        The axis.

    Raises
    ------
    TypeError
        If a bound is no scalar integer.
    """
    return _axis(dom, name, IterVarType.COMM_REDUCE)


def thread_axis(
    dom: tuple[Operand, Operand] | Range | Operand | None, tag: str, name: str = ""
) -> IterVar:
    """Make an axis that is an index of a launch.

    Parameters
    ----------
    dom
        The first index and the one behind the last, a range, or their number; None where it is
        not known yet.
    tag
        Which index it is, such as `threadIdx.x`.
    name
        What printers call its variable; empty for the tag.

    Returns
    -------
    IterVar
        The axis.
    """
    shown = name or tag.replace(".", "_")
    if dom is None:
        return IterVar(Var(shown), None, IterVarType.THREAD_INDEX, tag)
    return _axis(dom, shown, IterVarType.THREAD_INDEX, tag)


def _axis(
    dom: tuple[Operand, Operand] | Range | Operand, name: str, kind: IterVarType, tag: str = ""
) -> IterVar:
    if not isinstance(dom, Range):
        first, last = dom if isinstance(dom, tuple) else (0, dom)
        end = as_expr(last)
        begin = as_expr(first, end)
        dom = Range(begin, end - begin)
    return IterVar(Var(name, dom.extent.dtype), dom, kind, tag)


@overload
def compute(
    shape: Sequence[Operand] | Operand,
    fcompute: Callable[..., PrimExpr | float],
    name: str = ...,
    tag: str = ...,
    attrs: Mapping[str, Any] | None = ...,
) -> Tensor: ...


@overload
def compute(
    shape: Sequence[Operand] | Operand,
    fcompute: Callable[..., Sequence[PrimExpr]],
    name: str = ...,
    tag: str = ...,
    attrs: Mapping[str, Any] | None = ...,
) -> list[Tensor]: ...


def compute(
    shape: Sequence[Operand] | Operand,
    fcompute: Callable[..., PrimExpr | float | Sequence[PrimExpr]],
    name: str = "compute",
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
) -> Tensor | list[Tensor]:
    """Make a tensor whose elements are computed from their indices.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first; a number alone stands for one dimension.
    fcompute
        Takes an index for each dimension, or all of them as `*indices`, and returns the element:
        an expression, or a sequence of them for several tensors.
    name
        What printers call it.
    tag
        What kind of operation it is, for those that look for patterns.
    attrs
        What else is known about it, by name.

    Returns
    -------
    Tensor | list[Tensor]
        The tensor, or the tensors.

    Raises
    ------
    ValueError
        If the function takes another number of indices, or a reduction stands within an
        expression.

    Examples
    --------
    >>> A = placeholder((4, 8), name="A")
    >>> compute((8, 4), lambda i, j: A[j, i], name="B").name
    'B'
    """
    extents = _extents(shape)
    names = _index_names(fcompute, len(extents))
    axis = [
        IterVar(
            Var(index, extent.dtype),
            Range(IntImm(extent.dtype, 0), extent),
            IterVarType.DATA_PAR,
        )
        for index, extent in zip(names, extents, strict=True)
    ]
    element = fcompute(*(iter_var.var for iter_var in axis))
    elements = element if isinstance(element, Sequence) else (element,)
    body = [as_expr(value) for value in elements]
    op = ComputeOp(name, axis, body, tag=tag, attrs=attrs or {})
    tensors = [Tensor(op, index) for index in range(len(body))]
    return tensors if isinstance(element, Sequence) else tensors[0]


def _index_names(fcompute: Callable[..., object], rank: int) -> list[str]:
    """Return how the indices are called: as the parameters of the function."""
    # Everyone who imports uir comes by here, and few of them compute tensors.
    import inspect

    kinds = inspect.Parameter
    parameters = inspect.signature(fcompute).parameters.values()
    positional = (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    # `lambda i, scale=scale: ...` holds on to a value; that is no index.
    named = [p.name for p in parameters if p.kind in positional and p.default is kinds.empty]
    if any(p.kind is kinds.VAR_POSITIONAL for p in parameters):
        return [*named, *(f"i{index}" for index in range(len(named), rank))]
    if len(named) != rank:
        raise ValueError(
            f"compute: `fcompute` must take {rank} indices, one for each dimension, "
            f"it takes {len(named)}"
        )
    return named


def extern(
    shape: Sequence[Operand] | Sequence[Sequence[Operand]],
    inputs: Sequence[Tensor],
    fcompute: Callable[[list[Buffer], list[Buffer]], Stmt | PrimExpr],
    name: str = "extern",
    dtype: DataType | str | Sequence[DataType | str] | None = None,
    tag: str = "",
    attrs: Mapping[str, Any] | None = None,
) -> Tensor | list[Tensor]:
    """Make tensors that a statement computes, such as a call of a library.

    Parameters
    ----------
    shape
        The shape of the result, or the shapes of several results.
    inputs
        The tensors that are read.
    fcompute
        Takes a buffer for each input and for each result, and returns the statement, or a call
        that is run for its effect.
    name
        What printers call the result.
    dtype
        The data type of an element, or those of several results; None for that of the inputs.
    tag
        What kind of operation it is, for those that look for patterns.
    attrs
        What else is known about it, by name.

    Returns
    -------
    Tensor | list[Tensor]
        The tensor, or the tensors.

    Raises
    ------
    ValueError
        If the data type is not given and the inputs differ in theirs, or if there are not as many
        data types as shapes.
    """
    is_one = not shape or not isinstance(shape[0], Sequence)
    shapes = cast("Sequence[Sequence[Operand]]", [shape] if is_one else shape)
    dtypes = _result_types(dtype, inputs, len(shapes))
    ins = [decl_buffer(list(tensor.shape), tensor.dtype, tensor.name) for tensor in inputs]
    outs = [decl_buffer(extents, kind, name) for extents, kind in zip(shapes, dtypes, strict=True)]
    made = fcompute(ins, outs)
    body = made if isinstance(made, Stmt) else Evaluate(made)
    op = ExternOp(name, ins, outs, inputs, body, tag=tag, attrs=attrs or {})
    tensors = [Tensor(op, index) for index in range(len(outs))]
    return tensors[0] if is_one else tensors


def _result_types(
    dtype: DataType | str | Sequence[DataType | str] | None, inputs: Sequence[Tensor], count: int
) -> list[DataType | str]:
    """Return the data type of each result."""
    if dtype is None:
        found = sorted({str(tensor.dtype) for tensor in inputs})
        if len(found) != 1:
            raise ValueError(
                f"extern: `dtype` must be given, as the inputs have {len(found)} data types"
            )
        return [found[0]] * count
    if isinstance(dtype, str) or not isinstance(dtype, Sequence):
        return [dtype] * count
    if len(dtype) != count:
        raise ValueError(f"extern: `dtype` must have {count} entries, got {len(dtype)}")
    return list(dtype)


def create_prim_func(args: Sequence[Tensor | Var], name: str = "main") -> PrimFunc:
    """Make a function that computes tensors.

    Each operation becomes a nest of loops, a reduction one that starts with its identity; what is
    computed on the way is allocated in the function.

    Parameters
    ----------
    args
        What the parameters are, in order: tensors, given or computed, and variables.
    name
        The symbol that the function exports.

    Returns
    -------
    PrimFunc
        The function.

    Raises
    ------
    TypeError
        If an argument is something else.
    ValueError
        If a placeholder is read that is not among the arguments, or a tensor stands there twice.

    Examples
    --------
    >>> A = placeholder((16,), name="A")
    >>> B = compute((16,), lambda i: A[i] + 1.0, name="B")
    >>> func = create_prim_func([A, B], "add_one")
    """
    return _ffi_api.create_prim_func(args, name)
