"""TVM's side of the benchmarks: answers requests, one JSON value a line, in its own environment.

Run by the Python of that environment; `tests/bench/peer_tvm.py` asks.
"""

from __future__ import annotations

from typing import Any

import program
import tvm
from answer import Action, answer, measure
from tvm import tirx
from tvm.tirx import transform


def build() -> Any:
    """Build the program of the benchmarks."""

    def function(buffers: list[Any], body: Any) -> Any:
        return tirx.PrimFunc(buffers, body).with_attr("global_symbol", "main")

    return program.build(tirx, tirx.IntImm, tirx.FloatImm, tirx.decl_buffer, function)


class Side:
    """What is timed, by name, and the texts that go with it."""

    def __init__(self) -> None:
        self.module = tvm.IRModule({"main": build()})
        self.json = tvm.ir.save_json(self.module)
        self.script = self.module.script()
        self.passes = {
            "Simplify": transform.StmtSimplify(),
            "RemoveNoOp": transform.RemoveNoOp(),
            "CommonSubexprElim": transform.CommonSubexprElim(),
            "FlattenBuffer": transform.FlattenBuffer(),
            "NarrowDataType": transform.NarrowDataType(32),
        }

    def action(self, name: str) -> Action:
        """Return what a name stands for."""
        if name.startswith("pass."):
            wanted = name.removeprefix("pass.")
            if wanted == "VerifyWellFormed":
                return lambda: tirx.analysis.verify_well_formed(self.module)
            return lambda: self.passes[wanted](self.module)
        return {
            "build.primfunc": build,
            "json.save": lambda: tvm.ir.save_json(self.module),
            "json.load": lambda: tvm.ir.load_json(self.json),
            "script.print": lambda: self.module.script(),
            "script.parse": lambda: tvm.script.from_source(self.script),
        }[name]

    def answer(self, request: dict[str, Any]) -> Any:
        """Answer one request: a time in nanoseconds, the script after a pass, or the JSON."""
        if request["ask"] == "time":
            return measure(lambda: self.action(request["name"]), request["calls"])
        if request["ask"] == "script":
            return self.action(request["name"])().script() if request["name"] else self.script
        return self.json


answer(Side().answer)
