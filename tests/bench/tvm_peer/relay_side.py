"""TVM's side of the benchmark of high-level functions, which are `relax` there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import SimpleNamespace
from typing import Any

import relay_program
import tvm
from answer import Action, answer, measure
from tvm import relax

OPS = SimpleNamespace(
    **{name: getattr(relax.op, name) for name in ("add", "matmul", "multiply", "reshape", "tanh")},
    relu=relax.op.nn.relu,
    softmax=relax.op.nn.softmax,
    transpose=relax.op.permute_dims,
)
OUR_NAMES = {"nn.relu": "relu", "nn.softmax": "softmax", "permute_dims": "transpose"}


def tensor(shape: tuple[int, ...]) -> Any:
    """Return a type of the program."""
    return relax.TensorType(shape, relay_program.DTYPE)


def params() -> list[Any]:
    """Return new parameters."""
    return [relax.Var(name, tensor(shape)) for name, shape in relay_program.SHAPES.items()]


def build() -> Any:
    """Build the program, typed as it is made."""
    builder, variables = relax.BlockBuilder(), params()
    with builder.function("main", variables):
        with builder.dataflow():
            result = relay_program.build(OPS, builder.emit, *variables)
            output = builder.emit_output(result)
        builder.emit_func_output(output)
    return builder.finalize()


def untyped() -> Any:
    """Build the program without the types of calls and of bound variables."""
    bindings: list[Any] = []

    def bind(value: Any, make: Callable[[str], Any] = relax.DataflowVar) -> Any:
        var = make(f"lv{len(bindings)}")
        bindings.append(relax.VarBinding(var, value))
        return var

    variables = params()
    output = bind(relay_program.build(OPS, bind, *variables), relax.Var)
    body = relax.SeqExpr([relax.DataflowBlock(bindings)], output)
    func = relax.Function(variables, body, tensor(relay_program.SHAPES["x"]))
    return tvm.IRModule({"main": func.with_attr("global_symbol", "main")})


class Side:
    """What is timed, by name."""

    def __init__(self) -> None:
        self.module = build()
        self.script = self.module.script()

    @cached_property
    def lowered(self) -> Any:
        """The program as calls of tensor-level functions with their kinds, which FuseOps takes."""
        passes = [relax.transform.LegalizeOps(), relax.transform.AnnotateTIROpPattern()]
        return tvm.transform.Sequential(passes)(self.module)

    def action(self, name: str) -> Action:
        """Return what a name stands for; for one call, because types are written in place."""
        if name == "relay.infer":
            module = untyped()
            return lambda: relax.transform.Normalize()(module)
        if name == "relay.fuse":
            module = self.lowered
            return lambda: relax.transform.FuseOps()(module)
        return {
            "relay.build": build,
            "relay.cse": lambda: relax.transform.EliminateCommonSubexpr()(self.module),
            "relay.print": lambda: self.module.script(),
            "relay.parse": lambda: tvm.script.from_source(self.script),
        }[name]

    def answer(self, request: dict[str, Any]) -> Any:
        """Answer one request: a time in nanoseconds, or the calls of a module."""
        name = request["name"]
        if request["ask"] == "time":
            return measure(lambda: self.action(name), request["calls"])
        return calls(self.action(name)())


def calls(module: Any) -> list[list[str]]:
    """Return operator and type of each call, in the order of the bindings."""
    bindings = [bound for block in module["main"].body.blocks for bound in block.bindings]
    return [
        [operator(bound.value.op), text(bound.var.ty)]
        for bound in bindings
        if isinstance(bound.value, relax.Call)
    ]


def operator(op: Any) -> str:
    """Return the name that an operator has in `uir.relay`."""
    name = str(getattr(op, "name_hint", None) or op.name).removeprefix("relax.")
    return OUR_NAMES.get(name, name)


def text(type_: Any) -> str:
    """Return shape and data type."""
    return f"{tuple(int(extent) for extent in type_.shape)} {type_.dtype}"


answer(Side().answer)
