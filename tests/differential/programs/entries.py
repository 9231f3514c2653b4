"""High-level functions that call tensor-level ones: random programs, and what they must return.

`expected(module, *args)` runs `main` by `relay.evaluate`, which calls the tensor-level functions
as the interpreter runs them; `run_main(module, like, *args)` runs a lowered `main`, whose outputs
look like some arrays.  A random program has calls with one or two outputs, tuples, branches, loops,
constants, private functions, values that are not used, and shapes with the extents 0, 1, `n` and
`m` and sums and products of these.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np
import tvm_ffi

import uir
from uir import ir, relay, tir
from uir.ir import GlobalVar, IRModule, TensorType, TupleType
from uir.transform import BindingRewriter, InferType

from ...python.support.interpreter import run

__all__ = ["KERNELS", "Program", "expected", "random_entry", "run_main", "tensors_of"]

KERNELS = """
@uir.script.ir_module
class Module:
    @tir.prim_func(private=True)
    def shift(A: tir.Buffer((n, m), "int32"), B: tir.Buffer((n, m), "int32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for i in range(n):
            for j in range(m):
                B[i, j] = A[i, j] * 2 + i

    @tir.prim_func(private=True)
    def add(
        A: tir.Buffer((n, m), "int32"),
        B: tir.Buffer((n, m), "int32"),
        C: tir.Buffer((n, m), "int32"),
    ):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for i in range(n):
            for j in range(m):
                C[i, j] = A[i, j] - B[i, j] * 3

    @tir.prim_func(private=True)
    def turn(
        A: tir.Buffer((n, m), "int32"), B: tir.Buffer((m, n), "int32"), C: tir.Buffer((n,), "int64")
    ):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for i in range(n):
            C[i] = tir.int64(i)
            for j in range(m):
                B[j, i] = A[i, j]
                C[i] = C[i] + tir.int64(A[i, j])

    @tir.prim_func(private=True)
    def flat(A: tir.Buffer((n, m), "int32"), B: tir.Buffer((n * m,), "int32")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        for i in range(n):
            for j in range(m):
                B[i * m + j] = A[i, j]

    @tir.prim_func(private=True)
    def join(
        A: tir.Buffer((n, m), "int32"),
        B: tir.Buffer((k, m), "int32"),
        C: tir.Buffer((n + k, m), "int32"),
    ):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        k = tir.SizeVar("k", "int32")
        for j in range(m):
            for i in range(n):
                C[i, j] = A[i, j]
            for i in range(k):
                C[n + i, j] = B[i, j]

    @tir.prim_func(private=True)
    def column(A: tir.Buffer((n,), "int32"), B: tir.Buffer((n, 1), "int32")):
        n = tir.SizeVar("n", "int32")
        for i in range(n):
            B[i, 0] = A[i] + 5

    @tir.prim_func(private=True)
    def count(A: tir.Buffer((1, 1), "int32"), B: tir.Buffer((1, 1), "int32")):
        B[0, 0] = A[0, 0] + 1

    @tir.prim_func(private=True)
    def small(A: tir.Buffer((n, m), "int32"), B: tir.Buffer((), "bool")):
        n = tir.SizeVar("n", "int32")
        m = tir.SizeVar("m", "int32")
        B[()] = True
        for i in range(n):
            for j in range(m):
                B[()] = B[()] and A[i, j] < 4
"""

_numbers = itertools.count()


class _Externs(BindingRewriter):
    """Calls the tensor-level functions of a module by names that are registered."""

    def __init__(self, names: dict[GlobalVar, str]) -> None:
        super().__init__()
        self.names = names

    def visit_call(self, node: relay.Call) -> ir.RelayExpr:
        callee = node.args[0] if node.args else None
        if (
            not isinstance(node.attrs, relay.CallDestinationPassingAttrs)
            or callee not in self.names
        ):
            return super().visit_call(node)
        args = [self.visit(arg) for arg in node.args[1:]]
        extern = ir.ExternFunc(self.names[callee])
        return relay.call_destination_passing(extern, args, node.attrs.out_types)


def expected(module: IRModule, *args: Any, name: str = "main") -> list[np.ndarray]:
    """Return the tensors that a high-level function returns."""
    kernels = {v: f for v, f in module.functions.items() if isinstance(f, tir.PrimFunc)}
    names = {var: f"test.entry.{next(_numbers)}" for var in kernels}
    functions = {
        var: _Externs(names).run(func) if isinstance(func, relay.Function) else func
        for var, func in module.functions.items()
    }
    for var, func in kernels.items():
        tvm_ffi.register_global_func(names[var], _runs(func, module))
    try:
        return tensors_of(relay.evaluate(IRModule(functions), *args, name=name))
    finally:
        for registered in names.values():
            tvm_ffi.registry.remove_global_func(registered)


def _runs(func: tir.PrimFunc, module: IRModule) -> Any:
    def call(*tensors: tvm_ffi.Tensor) -> None:
        run(func, *map(np.from_dlpack, tensors), module=module)

    return call


def tensors_of(value: Any) -> list[np.ndarray]:
    """Return the tensors of a value: one, or those of a tuple."""
    if isinstance(value, tuple):
        return [tensor for field in value for tensor in tensors_of(field)]
    return [value]


def run_main(
    module: IRModule, like: Sequence[np.ndarray], *args: Any, name: str = "main"
) -> list[np.ndarray]:
    """Return the outputs of a tensor-level function, which are new arrays like some others."""
    outputs = [np.full(array.shape, 99).astype(array.dtype) for array in like]
    func = module.lookup(name)
    assert isinstance(func, tir.PrimFunc)
    assert func.get_attr("num_outputs") == len(outputs)
    run(func, *tensors_of(args), *outputs, module=module, strict=True)
    return outputs


class Program(NamedTuple):
    """A module, and arguments of its function `main`, for each size."""

    module: IRModule
    arguments: list[list[np.ndarray]]


def random_entry(draw: Random, length: int = 8) -> Program:
    """Return a random module of a public `main` that calls tensor-level functions."""
    module = uir.script.parse(KERNELS)
    helper = _Writer(draw, module, [("n", 2)])
    for maker in (helper.shift, helper.add):
        helper.values.append(maker())
    result = helper.emit(relay.Tuple([helper.values[-1], helper.values[0]]))
    helper_var = GlobalVar("helper")
    functions = {**module.functions, helper_var: helper.function(result)}
    dims = [draw.choice([0, 1, 2, "n", "m"]) for _ in range(4)]
    shapes = [("n", "m"), ("m", "n"), ("n", 2), tuple(dims[:2]), tuple(dims[2:])]
    main = _Writer(draw, module, shapes, helper_var)
    for _ in range(length):
        main.step()
    values = [draw.choice(main.values[-5:]) for _ in range(draw.randint(1, 4))]
    result = values[0] if len(values) == 1 else main.emit(relay.Tuple(values))
    attrs = ir.DictAttrs({"global_symbol": "main"})
    functions[GlobalVar("main")] = main.function(result, attrs)
    source = np.random.default_rng(draw.randrange(2**32))
    arguments = [
        [
            source.integers(-3, 6, [{"n": n, "m": m}.get(d, d) for d in shape], "int32")
            for shape in shapes
        ]
        for n, m in [(2, 3), (draw.choice([0, 1]), draw.choice([0, 1, 2]))]
    ]
    return Program(InferType()(IRModule(functions)), arguments)


class _Writer:
    """Writes one function or one branch, binding by binding."""

    def __init__(
        self,
        draw: Random,
        module: IRModule,
        shapes: Sequence[tuple[int | str, ...]],
        helper: GlobalVar | None = None,
    ) -> None:
        self.draw, self.module, self.helper = draw, module, helper
        self.sizes = {name: tir.SizeVar(name) for name in "nm"}
        types = [
            relay.Tensor([self.sizes.get(str(d), d) for d in shape], "int32") for shape in shapes
        ]
        self.params = [relay.Var(f"p{place}", type_) for place, type_ in enumerate(types)]
        self.values: list[Any] = list(self.params)
        self.bindings: list[relay.Binding] = []

    def function(self, result: Any, attrs: ir.DictAttrs | None = None) -> relay.Function:
        return relay.Function(
            self.params, relay.Block(self.bindings, result), result.checked_type, attrs
        )

    def emit(self, value: ir.RelayExpr, type_: Any = None) -> Any:
        var = relay.Var(f"v{len(self.bindings)}", type_ or value.checked_type)
        self.bindings.append(relay.Binding(var, value))
        return var

    def call(self, name: str, args: Sequence[Any], *shapes: Any) -> Any:
        """Bind the outputs of a kernel, each given by its shape and its data type."""
        outs = [relay.Tensor(shape, dtype) for shape, dtype in shapes]
        callee = self.module.get_global_var(name)
        return self.emit(relay.call_destination_passing(callee, args, outs))

    def any(self, columns: Any = None) -> Any:
        """Return a matrix of integers, of a certain number of columns."""
        found = [v for v in self.values if _columns(v) is not None]
        if columns is not None:
            found = [v for v in found if str(_columns(v)) == str(columns)]
        return self.draw.choice([*found[-4:], self.draw.choice(found)])

    def step(self) -> None:
        makers = [self.shift, self.add, self.turn, self.flat, self.join, self.constant, self.branch]
        makers += [self.loop]
        makers += [self.shift, self.add] + ([] if self.helper is None else [self.called])
        self.values.append(self.draw.choice(makers)())

    def shift(self) -> Any:
        x = self.any()
        return self.call("shift", [x], (x.checked_type.shape, "int32"))

    def add(self) -> Any:
        x = self.any()
        same = [v for v in self.values if str(v.checked_type) == str(x.checked_type)]
        return self.call("add", [x, self.draw.choice(same)], (x.checked_type.shape, "int32"))

    def turn(self) -> Any:
        x = self.any()
        n, m = x.checked_type.shape
        pair = self.call("turn", [x], ([m, n], "int32"), ([n], "int64"))
        self.values.append(self.emit(relay.TupleGetItem(pair, 1)))
        return self.emit(relay.TupleGetItem(pair, 0))

    def flat(self) -> Any:
        x = self.any()
        n, m = x.checked_type.shape
        line = self.call("flat", [x], ([tir.mul(n, m)], "int32"))
        return self.call("column", [line], ([*line.checked_type.shape, 1], "int32"))

    def join(self) -> Any:
        x = self.any()
        n, m = x.checked_type.shape
        y = self.any(m)
        return self.call("join", [x, y], ([tir.add(n, y.checked_type.shape[0]), m], "int32"))

    def constant(self) -> Any:
        array = np.arange(self.draw.choice([0, 2, 4]), dtype="int32").reshape(-1, 2)
        constant = relay.const(array)
        if self.draw.random() < 0.5:
            return self.emit(constant)
        return self.call("shift", [constant], (constant.checked_type.shape, "int32"))

    def called(self) -> Any:
        x = self.any(2)
        pair = self.emit(relay.Call(self.helper, [x]), TupleType([x.checked_type] * 2))
        return self.emit(relay.TupleGetItem(pair, self.draw.randint(0, 1)))

    def branch(self) -> Any:
        x = self.any()
        flag = self.call("small", [self.any()], ((), "bool"))
        blocks = []
        for _ in range(2):
            inner = _Writer(self.draw, self.module, [], self.helper)
            inner.values = list(self.values)
            for _ in range(self.draw.randint(0, 2)):
                inner.step()
            same = [v for v in inner.values if str(v.checked_type) == str(x.checked_type)]
            blocks.append(relay.Block(inner.bindings, self.draw.choice(same[-2:])))
        return self.emit(relay.If(flag, *blocks))

    def loop(self) -> Any:
        """Return a value after at most five steps, which a counter ends."""
        start = self.emit(relay.const(np.full((1, 1), self.draw.randint(-1, 4), "int32")))
        initial = [start, *(self.any() for _ in range(self.draw.randint(1, 2)))]
        params = [relay.Var(f"s{at}", one.checked_type) for at, one in enumerate(initial)]
        inner = _Writer(self.draw, self.module, [], self.helper)
        inner.values = [*self.values, *params[1:]]
        for _ in range(self.draw.randint(1, 3)):
            inner.step()
        counter = inner.call("count", [params[0]], ([1, 1], "int32"))
        goes_on = inner.call("small", [counter], ((), "bool"))
        values = []
        for param in params[1:]:
            same = [v for v in inner.values if str(v.checked_type) == str(param.checked_type)]
            values.append(self.draw.choice(same[-3:]))
        body = relay.Block(inner.bindings, relay.Tuple([goes_on, counter, *values]))
        first = self.call("small", [start], ((), "bool"))
        found = self.emit(relay.While(params, first, initial, body))
        return self.emit(relay.TupleGetItem(found, len(values)))


def _columns(value: Any) -> Any:
    """Return the number of columns of a matrix of integers; None for another value."""
    type_ = value.checked_type
    is_matrix = isinstance(type_, TensorType) and len(type_.shape) == 2
    return type_.shape[1] if is_matrix and str(type_.dtype) == "int32" else None
