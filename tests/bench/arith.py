"""The analyzer on 2,000 expressions of tiled programs, against TVM.

The expressions are those of `tvm_peer/tiled_programs.py`; TVM runs in a process of its own. Prints

- `arith.simplified`: `ours` counts the expressions of which our result has at most as many nodes as
  the peer's, `peer` those of which the peer's has at most as many as ours;
- `arith.proved`: the conditions that each side proves;
- `arith.time`: microseconds to simplify one expression, with an analyzer that knows the loops.

Each result has the value of its expression at sampled points, and each condition that is proved
holds there: a wrong answer of ours is an error, one of the peer counts for nothing.
`--short FILE` writes the expressions that the peer brings to a smaller form, or alone proves.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from peer_tvm import PeerTvm, peer_tvm
from report import in_turns, report, timed
from tvm_peer.arith_forms import ArithSide
from tvm_peer.tiled_programs import Case, Form, cases

from uir import arith, ir, tir

COUNT, POINTS, ROUNDS, CALLS = 2000, 8, 5, 2

OPERATORS: Mapping[str, Callable[[int, int], int]] = {
    "Add": lambda a, b: a + b,
    "Sub": lambda a, b: a - b,
    "Mul": lambda a, b: a * b,
    "FloorDiv": lambda a, b: a // b,
    "FloorMod": lambda a, b: a % b,
    "Div": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "Mod": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    "Min": min,
    "Max": max,
    "EQ": lambda a, b: a == b,
    "NE": lambda a, b: a != b,
    "LT": lambda a, b: a < b,
    "LE": lambda a, b: a <= b,
    "GT": lambda a, b: a > b,
    "GE": lambda a, b: a >= b,
    "And": lambda a, b: bool(a and b),
    "Or": lambda a, b: bool(a or b),
}
SIGNS = {
    "Add": "+", "Sub": "-", "Mul": "*", "FloorDiv": "//", "FloorMod": "%", "EQ": "==", "NE": "!=",
    "LT": "<", "LE": "<=", "GT": ">", "GE": ">=", "And": "and", "Or": "or",
}  # fmt: skip


def value(form: Form, values: Mapping[str, int]) -> Any:
    """Return the value of an expression; of a vector, a list."""
    if isinstance(form, int):
        return form
    if isinstance(form, str):
        return values[form]
    name, *operands = form
    if name == "Ramp":
        base, stride = value(operands[0], values), value(operands[1], values)
        return [base + stride * lane for lane in range(operands[2])]
    if name == "Broadcast":
        return [value(operands[0], values)] * operands[1]
    if name == "Select":
        condition, *arms = operands
        return value(arms[0] if value(condition, values) else arms[1], values)
    parts = [value(operand, values) for operand in operands]
    if name == "Not":
        return not parts[0]
    if isinstance(parts[0], list):
        return [OPERATORS[name](a, b) for a, b in zip(*parts, strict=True)]
    return OPERATORS[name](*parts)


def points(case: Case, draw: random.Random) -> Iterator[dict[str, int]]:
    """Draw values of the variables, the ends of their ranges among them."""
    for turn in range(POINTS):
        values = {"n": draw.choice([1, 2, 7, 16, 33, 48, 70])}
        for name, extent in case.ranges.items():
            below = value(extent, values)
            values[name] = (below - 1) * turn if turn < 2 else draw.randrange(below)
        yield values


def is_right(case: Case, result: Form) -> bool:
    """Tell whether a result has the value of its expression at sampled points."""
    draw = random.Random(str(case.form))
    return all(value(case.form, at) == value(result, at) for at in points(case, draw))


def size(form: Form) -> int:
    """Return the number of nodes of an expression."""
    return 1 + sum(map(size, form[1:])) if isinstance(form, list) else 1


def text(form: Form) -> str:
    """Return an expression for people."""
    if not isinstance(form, list):
        return str(form)
    name, *operands = form
    if name in SIGNS:
        return f"({text(operands[0])} {SIGNS[name]} {text(operands[1])})"
    return f"{name.lower()}({', '.join(map(text, operands))})"


def our_side() -> ArithSide:
    """Return the expressions as nodes of ours."""
    return ArithSide(
        tir,
        arith.Analyzer,
        lambda analyzer, variable: analyzer.assume(variable >= 1),
        lambda analyzer, variable, extent: analyzer.bind(
            variable, ir.Range(tir.const(0, "int32"), extent)
        ),
        lambda analyzer, condition: analyzer.can_prove(condition),
        cases(COUNT),
    )


def compare_results(ours: ArithSide, peer: PeerTvm) -> list[str]:
    """Print how many each side brings to the smaller form; return where the peer's is smaller."""
    counts, short = [0, 0], []
    results = zip(cases(COUNT), ours.simplified(), peer.ask("simplified", COUNT), strict=True)
    for case, our_result, peer_result in results:
        assert is_right(case, our_result), f"{text(case.form)} became {text(our_result)}"
        if not is_right(case, peer_result):
            print(f"wrong in TVM: {text(case.form)} -> {text(peer_result)}", file=sys.stderr)
            counts[0] += 1
            continue
        sizes = size(our_result), size(peer_result)
        counts[0] += sizes[0] <= sizes[1]
        counts[1] += sizes[1] <= sizes[0]
        if sizes[1] < sizes[0]:
            found = f"{text(our_result)}\n  TVM {text(peer_result)}"
            short.append(f"{text(case.form)} for {case.ranges}\n  uir {found}")
    report("arith.simplified", *counts, "expressions", more_is_better=True)
    return short


def compare_proofs(ours: ArithSide, peer: PeerTvm) -> list[str]:
    """Print how many conditions each side proves; return those that the peer alone does."""
    counts, short = [0, 0], []
    results = zip(cases(COUNT), ours.proved(), peer.ask("proved", COUNT), strict=True)
    for case, our_proof, peer_proof in results:
        holds = not (our_proof or peer_proof) or is_right(case, 1)
        assert holds or not our_proof, f"{text(case.form)} is not always true"
        if not holds:
            print(f"wrong in TVM: {text(case.form)} proved", file=sys.stderr)
            continue
        counts[0] += our_proof
        counts[1] += peer_proof
        if peer_proof and not our_proof:
            short.append(f"{text(case.form)} for {case.ranges}\n  TVM alone proves it")
    report("arith.proved", *counts, "conditions", more_is_better=True)
    return short


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", type=Path, help="where to write what the peer does better")
    arguments = parser.parse_args()
    ours = our_side()
    with peer_tvm("arith_side.py") as peer:
        short = compare_results(ours, peer) + compare_proofs(ours, peer)
        times = in_turns(
            lambda calls: sum(timed(ours.simplify_all(), 1) for _ in range(calls)) / calls,
            lambda calls: peer.time("", calls, count=COUNT),
            rounds=ROUNDS,
            calls=CALLS,
        )
        report("arith.time", *(time / COUNT / 1e3 for time in times), "us")
    if arguments.short:
        arguments.short.write_text("\n".join(short) + "\n")


if __name__ == "__main__":
    main()
