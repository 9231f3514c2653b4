"""Our side of the benchmarks against TVM: the same program, and what is timed, by name."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from report import timed
from tvm_peer import program

import uir
from uir import ir, tir, transform

__all__ = ["PASSES", "Side", "build", "describe", "expected", "node_counts", "same_program"]

PASSES: Mapping[str, Sequence[object]] = {
    "Simplify": (),
    "RemoveNoOp": (),
    "CommonSubexprElim": (),
    "FlattenBuffer": (),
    "NarrowDataType": (32,),
    "VerifyWellFormed": (),
}
"""The arguments that each pass is made with."""

OTHER_NAMES = {"TensorLoad": "BufferLoad"}
"""What the peer calls differently."""

MADE = re.compile(r"\bcse_v(\d+)\b")


def build(count: int = program.NESTS) -> tir.PrimFunc:
    """Build the program of the benchmarks."""

    def function(buffers: list[tir.Buffer], body: tir.Stmt) -> tir.PrimFunc:
        params = [tir.Var(buffer.name.lower(), "handle") for buffer in buffers]
        attrs = ir.DictAttrs({"global_symbol": "main"})
        return tir.PrimFunc(params, body, dict(zip(params, buffers, strict=True)), attrs=attrs)

    return program.build(tir, ir.IntImm, ir.FloatImm, tir.decl_buffer, function, count)


def node_counts(text: str) -> Counter[str]:
    """Return how many statements and expressions of each type a graph of JSON holds."""
    kinds = (entry["type"].rpartition(".") for entry in json.loads(text)["nodes"])
    names = (OTHER_NAMES.get(name, name) for space, _, name in kinds if space)
    wanted = {*dir(tir), "IntImm", "FloatImm"} - {"Buffer", "BufferType", "PrimFunc", "Var"}
    return Counter(name for name in names if name in wanted)


def same_program(ours: str, peer: str) -> None:
    """Check that two graphs of JSON have equally many statements and expressions of each type.

    Raises
    ------
    AssertionError
        If they do not; it names the types.
    """
    counts, others = node_counts(ours), node_counts(peer)
    # How many constants are shared, and how shapes and alignments are kept, is not the program.
    for name in sorted({*counts, *others} - {"IntImm", "Iter", "TileLayout", "Axis"}):
        assert counts[name] == others[name], f"`{name}`: {counts[name]} here, {others[name]} there"


def describe(name: str, text: str) -> None:
    """Print the digest and the size of an input."""
    nodes = sum(node_counts(text).values())
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    print(
        f"# input of {name}: {nodes} nodes, {len(text)} bytes of JSON, sha256 {digest}", flush=True
    )


class Side:
    """
    What is timed, by name.

    Attributes
    ----------
    module
        The program.
    json
        The module as JSON.
    script
        The module as script.
    """

    def __init__(self) -> None:
        self.module = ir.IRModule({ir.GlobalVar("main"): build()})
        self.json = ir.save_json(self.module)
        self.script = uir.script.print(self.module)

    def after(self, name: str) -> str:
        """Return the script of what a pass makes of the program."""
        return uir.script.print(made(name)(self.module))

    def action(self, name: str) -> Callable[[], object]:
        """Return what a name stands for."""
        if name.startswith("pass."):
            run = made(name.removeprefix("pass."))
            return lambda: run(self.module)
        actions: dict[str, Callable[[], Any]] = {
            "build.primfunc": build,
            "json.save": lambda: ir.save_json(self.module),
            "json.load": lambda: ir.load_json(self.json),
            "script.print": lambda: uir.script.print(self.module),
            "script.parse": lambda: uir.script.parse(self.script),
        }
        return actions[name]

    def time(self, name: str, calls: int) -> float:
        """Return how long a call takes, in nanoseconds."""
        return timed(self.action(name), calls)


def made(name: str) -> transform.Pass:
    """Make a pass."""
    return transform.make_pass(name, *PASSES[name])


def expected(golden: str, count: int = program.NESTS) -> str:
    """Return the script of a program of many loop nests from that of one with two nests.

    Variables that a pass makes have numbers, which go on from nest to nest.
    """
    lines = golden.rstrip("\n").split("\n")
    first = next(i for i, line in enumerate(lines) if line.lstrip().startswith("for i in"))
    head, nest = lines[:first], "\n".join(lines[first : (first + len(lines)) // 2])
    made = len(set(MADE.findall(nest)))

    def numbered(place: int) -> str:
        return MADE.sub(lambda found: f"cse_v{int(found[1]) + place * made}", nest)

    return "\n".join([*head, *map(numbered, range(count))])
