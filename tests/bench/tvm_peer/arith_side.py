"""TVM's side of the benchmark of arithmetic."""

from __future__ import annotations

from typing import Any

import tvm
from answer import answer, measure
from arith_forms import ArithSide
from tiled_programs import cases
from tvm import sym, tirx


def positive(analyzer: Any, variable: Any) -> None:
    """Tell an analyzer that a variable is at least 1."""
    analyzer.update(variable, sym.ConstIntBound(1, sym.ConstIntBound.POS_INF))


def bind(analyzer: Any, variable: Any, extent: Any) -> None:
    """Tell an analyzer the values of a loop variable."""
    analyzer.bind(variable, tvm.ir.Range(tirx.const(0, "int32"), extent))


def prove(analyzer: Any, condition: Any) -> bool:
    """Ask for a proof with all that the peer has."""
    return bool(analyzer.can_prove(condition, sym.ProofStrength.SYMBOLIC_BOUND))


def reply(request: dict[str, Any]) -> Any:
    """Answer one request."""
    side = ArithSide(tirx, sym.Analyzer, positive, bind, prove, cases(request["count"]))
    if request["ask"] == "time":
        return measure(side.simplify_all, request["calls"])
    return {"simplified": side.simplified, "proved": side.proved}[request["ask"]]()


answer(reply)
