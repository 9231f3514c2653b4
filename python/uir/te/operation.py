"""Construction of tensors: placeholders, computations over indices, and statements.

In: expressions or numbers, and Python functions of indices and buffers. Out: tensors.
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
    """Return a shape as expressions; a single number is one dimension."""
    given = shape if isinstance(shape, Sequence) else (shape,)
    return [as_expr(extent) for extent in given]


def var(name: str = "n", dtype: DataType | str = "int32") -> Var:
    """Make a variable, such as a symbolic extent.

    Parameters
    ----------
    name
        The name that printers use.
    dtype
        The data type of the value.

    Returns
    -------
    Var
        The variable.
    """
    return Var(name, dtype)


def size_var(name: str = "n", dtype: DataType | str = "int32") -> SizeVar:
    """Make a non-negative variable.

    Parameters
    ----------
    name
        The name that printers use.
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
    """Make an input tensor.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first; a single number is one dimension.
    dtype
        The data type of an element.
    name
        The name that printers use.

    Returns
    -------
    Tensor
        The tensor.

    Raises
    ------
    TypeError
        If an extent is not a scalar integer.
    """
    extents = _extents(shape)
    return Tensor(PlaceholderOp(name, extents, dtype))


def reduce_axis(dom: tuple[Operand, Operand] | Range | Operand, name: str = "k") -> IterVar:
    """Make a reduction axis.

    Parameters
    ----------
    dom
        The half-open interval of indices as a pair, or a range; a single number is the extent from
        0.
    name
        The name of its variable.

    Returns
    -------
    IterVar
        The axis.

    Raises
    ------
    TypeError
        If a bound is not a scalar integer.
    """
    return _axis(dom, name, IterVarType.COMM_REDUCE)


def thread_axis(
    dom: tuple[Operand, Operand] | Range | Operand | None, tag: str, name: str = ""
) -> IterVar:
    """Make an axis over the threads of a launch.

    Parameters
    ----------
    dom
        The half-open interval of indices as a pair, a range, or the extent; None if not yet known.
    tag
        The thread index, such as `threadIdx.x`.
    name
        The name of its variable; empty for the tag.

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
    attrs: Mapping[str, object] | None = ...,
) -> Tensor: ...


@overload
def compute(
    shape: Sequence[Operand] | Operand,
    fcompute: Callable[..., Sequence[PrimExpr]],
    name: str = ...,
    tag: str = ...,
    attrs: Mapping[str, object] | None = ...,
) -> list[Tensor]: ...


def compute(
    shape: Sequence[Operand] | Operand,
    fcompute: Callable[..., PrimExpr | float | Sequence[PrimExpr]],
    name: str = "compute",
    tag: str = "",
    attrs: Mapping[str, object] | None = None,
) -> Tensor | list[Tensor]:
    """Make a tensor by an expression over the indices of an element.

    Parameters
    ----------
    shape
        Extent of each dimension, outermost first; a single number is one dimension.
    fcompute
        Takes one index for each dimension, or `*indices`, and returns the element: an expression,
        or a sequence of expressions for several tensors.
    name
        The name that printers use.
    tag
        The kind of operation, for pattern matching.
    attrs
        Further attributes, by name.

    Returns
    -------
    Tensor | list[Tensor]
        The tensor, or the tensors.

    Raises
    ------
    ValueError
        If the function takes a different number of indices, or a reduction is inside another
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
    """Return the names of the indices: those of the function's parameters."""
    # Imported on use, to keep `import uir` fast.
    import inspect

    kinds = inspect.Parameter
    parameters = inspect.signature(fcompute).parameters.values()
    positional = (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)
    # A parameter with a default, as in `lambda i, scale=scale: ...`, is not an index.
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
    attrs: Mapping[str, object] | None = None,
) -> Tensor | list[Tensor]:
    """Make tensors by a statement, such as a library call.

    Parameters
    ----------
    shape
        The shape of the output, or the shapes of several outputs.
    inputs
        The input tensors.
    fcompute
        Takes a buffer for each input and output, and returns the statement, or a call to evaluate.
    name
        The name of the output.
    dtype
        The data type of an element, or those of several outputs; None for that of the inputs.
    tag
        The kind of operation, for pattern matching.
    attrs
        Further attributes, by name.

    Returns
    -------
    Tensor | list[Tensor]
        The tensor, or the tensors.

    Raises
    ------
    ValueError
        If `dtype` is None and the data types of the inputs differ, or if the numbers of data types
        and shapes differ.
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
    """Return the data type of each output."""
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
    """Lower tensor expressions to a function.

    Each operation becomes a loop nest; a reduction first stores its identity. The function
    allocates the intermediate tensors.

    Parameters
    ----------
    args
        The parameters, in order: tensors and variables.
    name
        The symbol that the function exports.

    Returns
    -------
    PrimFunc
        The function.

    Raises
    ------
    TypeError
        If an argument is neither a tensor nor a variable.
    ValueError
        If a placeholder that is read is not among the arguments, or a tensor occurs twice.

    Examples
    --------
    >>> A = placeholder((16,), name="A")
    >>> B = compute((16,), lambda i: A[i] + 1.0, name="B")
    >>> func = create_prim_func([A, B], "add_one")
    """
    return _ffi_api.create_prim_func(args, name)
