"""A high-level function of five thousand bindings, against TVM's relax.

Prints, in milliseconds: `relay.build`, bindings emitted from Python and typed; `relay.infer`, the
types of a function without any; `relay.print` and `relay.parse`, its script; `relay.cse`, common
subexpression elimination; `relay.fuse`, operators grouped into functions. TVM runs in a process of
its own; the two sides are timed in turns.

Before a row is timed, both sides show what it makes: the same calls in the same order, with the
same shapes and data types. TVM fuses calls of tensor-level functions, which are made before; the
two have other rules of what shares a loop, so that there the numbers of calls left are printed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from peer_tvm import peer_tvm
from report import in_turns, report, timed
from tvm_peer import relay_program

import uir
from uir import ir, relay
from uir.transform import EliminateCommonSubexpr, FuseOps, InferType, Inline, PassContext

ROUNDS = 7
# One call of the peer's parser takes as long as a thousand of ours.
CALLS = {
    "relay.build": 3,
    "relay.infer": 3,
    "relay.print": 3,
    "relay.cse": 3,
    "relay.fuse": 2,
    "relay.parse": 1,
}
CALLS_LEFT = {"relay.cse": relay_program.BINDINGS - relay_program.LAYERS}


def params() -> list[relay.Var]:
    """Return new parameters."""
    shapes = relay_program.SHAPES.items()
    return [relay.Var(name, relay.Tensor(shape, relay_program.DTYPE)) for name, shape in shapes]


def module_of(params: list[relay.Var], block: relay.Block) -> ir.IRModule:
    """Return a module of one function."""
    func = relay.Function(params, block, attrs=ir.DictAttrs({"global_symbol": "main"}))
    return ir.IRModule({ir.GlobalVar("main"): func})


def build() -> ir.IRModule:
    """Build the program, typed as it is made."""
    builder, variables = relay.builder(), params()
    result = relay_program.build(relay, builder.emit, *variables)
    return module_of(variables, builder.make_block(result))


def untyped() -> ir.IRModule:
    """Build the program without the types of calls and of bound variables."""
    bindings: list[relay.Binding] = []

    def bind(value: ir.RelayExpr) -> relay.Var:
        bindings.append(relay.Binding(relay.Var(f"v{len(bindings)}"), value))
        return bindings[-1].var

    variables = params()
    result = relay_program.build(relay, bind, *variables)
    return module_of(variables, relay.Block(bindings, result))


class Side:
    """What is timed, by name."""

    def __init__(self) -> None:
        self.module = build()
        self.untyped = untyped()
        self.script = uir.script.print(self.module)

    def action(self, name: str) -> Callable[[], Any]:
        """Return what a name stands for."""
        return {
            "relay.build": build,
            "relay.infer": lambda: InferType()(self.untyped),
            "relay.fuse": lambda: FuseOps()(self.module),
            "relay.cse": lambda: EliminateCommonSubexpr()(self.module),
            "relay.print": lambda: uir.script.print(self.module),
            "relay.parse": lambda: uir.script.parse(self.script),
        }[name]

    def time(self, name: str, calls: int) -> float:
        """Return how long a call takes, in nanoseconds."""
        return timed(self.action(name), calls)


def calls(module: ir.IRModule) -> list[list[str]]:
    """Return operator and type of each call, in the order of the bindings."""
    return [
        [operator(bound.value.op), text(bound.var.type_annotation)]
        for bound in module.lookup("main").body.bindings
    ]


def operator(callee: ir.RelayExpr) -> str:
    """Return the name of an operator without its namespace, or that of a function."""
    return callee.name.removeprefix("relay.") if isinstance(callee, ir.Op) else callee.name_hint


def text(type_: ir.TensorType) -> str:
    """Return shape and data type."""
    return f"{tuple(extent.value for extent in type_.shape)} {type_.dtype}"


def check_output(made: Any, peer: list[list[str]], name: str) -> None:
    """Check that a row makes the same on both sides."""
    ours = calls(made)
    assert len(ours) == CALLS_LEFT.get(name, relay_program.BINDINGS), f"`{name}`: {len(ours)} calls"
    for place, (here, there) in enumerate(zip(ours, peer, strict=True)):
        assert here == there, f"`{name}`, call {place}: {here} here, {there} there"


def check_fused(fused: ir.IRModule, program: ir.IRModule, peer: list[list[str]]) -> None:
    """Check that both sides fuse, to the same type, and that ours holds every call once."""
    ours = calls(fused)
    print(f"# FuseOps leaves {len(ours)} calls here, {len(peer)} there")
    assert len(peer) < relay_program.BINDINGS, "the peer fused nothing"
    assert ours[-1][1] == peer[-1][1], f"the result is {ours[-1][1]} here, {peer[-1][1]} there"
    with PassContext(config={"Inline.primitive": True}):
        back = Inline()(fused)
    assert calls(back) == calls(program), "`relay.fuse`: a call was lost"


def main() -> None:
    """Print the figures."""
    ours = Side()
    with peer_tvm("relay_side.py") as peer:
        for name, count in CALLS.items():
            if name == "relay.fuse":
                check_fused(ours.action(name)(), ours.module, peer.calls(name))
            elif name != "relay.print":
                check_output(ours.action(name)(), peer.calls(name), name)
            times = in_turns(
                lambda calls, name=name: ours.time(name, calls),
                lambda calls, name=name: peer.time(name, calls),
                rounds=ROUNDS if count > 1 else 3,
                calls=count,
            )
            report(name, *(time / 1e6 for time in times), "ms")


if __name__ == "__main__":
    main()
