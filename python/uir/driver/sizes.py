"""Functions for given sizes of symbolic dimensions, behind one that chooses among them.

Two passes around a pipeline do that. The first one copies each public function on tensors for the
given sizes, before any other pass, so that all of them know the sizes; copies share constants. The
last one replaces the public function by a choice: it compares the sizes of its arguments, and calls
the copy for them, or else the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from itertools import product
from typing import Any, TypeAlias

from tschema.command_line import nearest
from tschema.runtime import map as mapped
from uir_nodes.ir import BaseFunc, DictAttrs, GlobalVar, IntImm, IRModule, PrimExpr, TensorType
from uir_nodes.relay import Binding, Block, Function
from uir_nodes.relay import Call as RelayCall
from uir_nodes.relay import Var as RelayVar
from uir_nodes.tir import EQ, And, Buffer, Call, Evaluate, IfThenElse, PrimFunc, SizeVar, Stmt, Var
from uir_nodes.transform import Inline, Pass, PassContext

from ..tir import decl_buffer
from ..transform import InferType, module_pass

__all__ = ["with_sizes"]

Sizes: TypeAlias = Mapping[str, int]

# Attributes of a copy: the symbol of its original, and its sizes by the names of dimensions.
ORIGINAL = "any_size"
SIZES = "for_sizes"

SYMBOL = "global_symbol"

# Attributes that describe a function to its callers.
OF_ENTRIES = (SYMBOL, "has_into_entry", "input_names", "num_outputs", "output_names")

# More copies than these take longer to compile than anyone waits for.
MOST_COPIES = 16


def with_sizes(pipeline: Sequence[Pass], sizes: Mapping[str, Sequence[int]]) -> list[Pass]:
    """Return a pipeline that also compiles functions for given sizes of symbolic dimensions.

    A public function whose parameters have such dimensions keeps its symbol and its signature. It
    compares the sizes of its arguments, and runs code for them if it has some. There is code for
    each combination of the sizes of several dimensions.

    Parameters
    ----------
    pipeline
        The passes, such as those of `default_pipeline`.
    sizes
        The sizes of each dimension, by its name.

    Returns
    -------
    pipeline
        The passes.

    Raises
    ------
    ValueError
        If there are more than 16 combinations, or a size is not positive. The passes raise it if
        no function has such a dimension, or one has not all of these sizes.

    Examples
    --------
    >>> pipeline = with_sizes(default_pipeline(), {"h": [320, 480], "w": [320, 480]})
    >>> library = uir.build(module, pipeline=pipeline)
    """
    chosen = {name: sorted({*every}) for name, every in sizes.items()}
    count = len(list(product(*chosen.values())))
    if count > MOST_COPIES:
        raise ValueError(f"{count} combinations of sizes, which must be at most {MOST_COPIES}")
    for name, every in chosen.items():
        if every[:1] < [1]:
            raise ValueError(f"dimension `{name}`: expected positive sizes, got {list(every)}")

    @module_pass(name="CopyForSizes")
    def copy(module: IRModule, _: PassContext) -> IRModule:
        return with_copies(module, chosen)

    @module_pass(name="ChooseBySizes")
    def choose(module: IRModule, _: PassContext) -> IRModule:
        return with_choices(module)

    return [copy, *pipeline, choose]


def with_copies(module: IRModule, sizes: Mapping[str, Sequence[int]]) -> IRModule:
    """Add copies of public functions on tensors.

    Raises
    ------
    ValueError
        If no function has a dimension of such a name, or one has not all of these sizes.
    """
    functions: dict[GlobalVar, BaseFunc] = dict(InferType()(module).functions.items())
    bodies: dict[GlobalVar, BaseFunc] = {}
    found: set[str] = set()
    taken = {str(var.name_hint) for var in functions}
    for func in list(functions.values()):
        symbol = func.get_attr(SYMBOL) if isinstance(func, Function) else None
        if symbol is None or not isinstance(func, Function):
            continue
        dims = [str(dim.name) for dim in dimensions_of(param.checked_type for param in func.params)]
        found.update(dims)
        names = [name for name in sizes if name in dims]
        body = GlobalVar(unused(f"{symbol}_of_any_size", taken))
        bodies[body] = Function(func.params, func.body, func.ret_type)
        for choice in product(*(sizes[name] for name in names)) if names else ():
            chosen = dict(zip(names, choice, strict=True))
            name = unused("_".join([str(symbol), *(f"{a}_{b}" for a, b in chosen.items())]), taken)
            functions[GlobalVar(name)] = copy_for(func, body, chosen, name)
    for name in sizes:
        if name not in found:
            known = ", ".join(f"`{one}`" for one in sorted(found)) or "none"
            help_ = nearest(name, sorted(found))
            raise ValueError(f"no input has a dimension `{name}`; there are {known}{help_}")
    whole = Inline()(IRModule({**functions, **bodies}, module.attrs))
    kept = {var: func for var, func in whole.functions.items() if var not in bodies}
    return IRModule(kept, module.attrs)


def unused(name: str, taken: set[str]) -> str:
    """Return a name of C that is not taken, and note it."""
    name = re.sub(r"\W", "_", name)
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def dimensions_of(types: Iterable[object]) -> list[SizeVar]:
    """Return the symbolic dimensions of tensors that are variables, each one once."""
    shapes = (one.shape for one in types if isinstance(one, TensorType))
    return list(dict.fromkeys(dim for shape in shapes for dim in shape if isinstance(dim, SizeVar)))


def copy_for(func: Function, body: GlobalVar, sizes: Sizes, name: str) -> Function:
    """Return a function that calls a body with parameters of given sizes."""
    dims = dimensions_of(param.checked_type for param in func.params)
    values = {dim: value_of(dim, sizes) for dim in dims}
    params = [
        RelayVar(one.name, replaced(one.checked_type, values), span=one.span) for one in func.params
    ]
    result = RelayVar("result")
    block = Block([Binding(result, RelayCall(body, params), span=func.span)], result)
    attrs = {} if func.attrs is None else dict(func.attrs.dict.items())
    attrs.pop("shape_assumptions", None)
    attrs |= {ORIGINAL: attrs[SYMBOL], SIZES: dict(sizes), SYMBOL: name}
    return Function(params, block, None, DictAttrs(attrs), span=func.span)


def value_of(dim: SizeVar, sizes: Sizes) -> PrimExpr:
    """Return the given size of a dimension, or a new variable of its name."""
    size = sizes.get(str(dim.name))
    return SizeVar(dim.name, dim.dtype) if size is None else IntImm(dim.dtype, size)


def replaced(value: Any, values: Mapping[SizeVar, PrimExpr]) -> Any:
    """Return a type or a shape with values in place of dimensions."""
    return mapped(value, lambda node: values.get(node) if isinstance(node, SizeVar) else None)


def with_choices(module: IRModule) -> IRModule:
    """Replace functions that have copies by a choice among these, which become private."""
    functions: dict[GlobalVar, BaseFunc] = dict(module.functions.items())
    prims = {var: func for var, func in functions.items() if isinstance(func, PrimFunc)}
    copies: dict[str, list[GlobalVar]] = {}
    for var, func in prims.items():
        if func.get_attr(ORIGINAL) is not None:
            copies.setdefault(str(func.get_attr(ORIGINAL)), []).append(var)
    taken = {str(var.name_hint) for var in functions}
    for var, func in prims.items():
        chosen = sorted(copies.get(str(func.get_attr(SYMBOL)), []), key=by_name)
        if not chosen:
            continue
        callees = [*chosen, GlobalVar(unused(f"{var.name_hint}_of_any_size", taken))]
        bodies = [*(prims[one] for one in chosen), func]
        functions[var] = choice(func, callees, bodies)
        functions |= {one: private(body) for one, body in zip(callees, bodies, strict=True)}
    return IRModule(functions, module.attrs)


def by_name(var: GlobalVar) -> str:
    return str(var.name_hint)


def sizes_of_buffers(func: PrimFunc) -> dict[SizeVar, tuple[int, int]]:
    """Return the variables that shapes bind, with the index of the parameter and the axis."""
    found: dict[SizeVar, tuple[int, int]] = {}
    for place, param in enumerate(func.params):
        for axis, dim in enumerate(func.buffer_map[param].shape):
            if isinstance(dim, SizeVar):
                found.setdefault(dim, (place, axis))
    return found


def private(func: PrimFunc) -> PrimFunc:
    """Return a function without a symbol, of which sizes are parameters too."""
    attrs = dict(func.attrs.dict.items()) if func.attrs is not None else {}
    attrs = {key: value for key, value in attrs.items() if key not in (ORIGINAL, SIZES, SYMBOL)}
    params = [*func.params, *sizes_of_buffers(func)]
    return PrimFunc(
        params, func.body, func.buffer_map, func.ret_type, DictAttrs(attrs), span=func.span
    )


def choice(func: PrimFunc, callees: Sequence[GlobalVar], bodies: Sequence[PrimFunc]) -> PrimFunc:
    """Return a function with the signature of another one that calls a copy for its sizes.

    Parameters
    ----------
    func
        The function, which is the last one of `bodies`.
    callees
        The variables of the functions that are called.
    bodies
        These functions, before sizes are their parameters.
    """
    dims = {dim: SizeVar(dim.name, dim.dtype) for dim in sizes_of_buffers(func)}
    buffers = [new_buffer(func.buffer_map[param], dims) for param in func.params]
    params = [Var(param.name, param.dtype) for param in func.params]
    *others, last = zip(callees, bodies, strict=True)
    body = call_of(*last, buffers)
    for callee, copy in reversed(others):
        fits = condition(copy.get_attr(SIZES), dims.values())
        body = IfThenElse(fits, call_of(callee, copy, buffers), body)
    kept = {} if func.attrs is None else dict(func.attrs.dict.items())
    attrs = {key: value for key, value in kept.items() if key in OF_ENTRIES}
    buffer_map = dict(zip(params, buffers, strict=True))
    return PrimFunc(params, body, buffer_map, None, DictAttrs(attrs), span=func.span)


def new_buffer(buffer: Buffer, dims: Mapping[SizeVar, PrimExpr]) -> Buffer:
    """Return a buffer of the same shape, over other variables."""
    shape = [replaced(dim, dims) for dim in buffer.shape]
    return decl_buffer(shape, str(buffer.dtype), buffer.name)


def condition(sizes: Mapping[str, int], dims: Iterable[SizeVar]) -> PrimExpr:
    """Return whether dimensions have sizes."""
    named = {str(dim.name): dim for dim in dims}
    equal: list[PrimExpr] = [EQ(named[name], IntImm("int32", size)) for name, size in sizes.items()]
    return reduce(And, equal)


def call_of(callee: GlobalVar, func: PrimFunc, buffers: Sequence[Buffer]) -> Stmt:
    """Return the call of a function that takes sizes beside buffers."""
    places = sizes_of_buffers(func).values()
    sizes = [buffers[place].shape[axis] for place, axis in places]
    return Evaluate(Call("void", callee, [*(buffer.data for buffer in buffers), *sizes]))
