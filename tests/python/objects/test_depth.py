"""Deep objects: engines take any depth, functors raise RecursionError, nothing crashes.

Each case runs in a process of its own, with the usual stack of 8 MB.
"""

from __future__ import annotations

import pytest

from ..support.process import run_python

MAKE = """
import copy, pickle, resource, sys
resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))
from tschema import runtime
from uir.ir import IntImm
from uir.tir import Not, PrimExprFunctor, PrimExprMutator, PrimExprVisitor, Var, SeqStmt, Evaluate
def chain(depth):
    node = Var("x", "bool")
    for _ in range(depth):
        node = Not(node)
    return node
deep = chain(1_000_000)
"""
ENGINES = {
    "equal": "assert runtime.structural_equal(deep, copy.deepcopy(deep), map_free_vars=True)",
    "hash": "runtime.structural_hash(deep)",
    "mismatch": "assert len(runtime.first_mismatch(deep, chain(1_000_000)).lhs) == 1_000_000",
    "json": "runtime.load_json(runtime.save_json(deep))",
    "binary": "runtime.load_binary(runtime.save_binary(deep))",
    "pickle": "pickle.loads(pickle.dumps(deep))",
    "walk": "assert len(runtime.post_order(deep)) == 1_000_001",
    "map": "assert runtime.map(deep, lambda node: None) is deep",
    "repr": "assert len(repr(deep)) > 1_000_000",
    "copy": "copy.copy(deep), copy.deepcopy(deep)",
    "destroy": "del deep",
}
FUNCTORS = {
    "visitor": "PrimExprVisitor().visit(deep)",
    "mutator": "PrimExprMutator().visit(deep)",
    "functor": """
class Depth(PrimExprFunctor[int]):
    def visit_not(self, node): return self.visit(node.a) + 1
    def visit_var(self, node): return 0
Depth().visit(deep)
""",
}


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_takes_any_depth(name: str) -> None:
    run_python(f"{MAKE}{ENGINES[name]}")


@pytest.mark.parametrize("limit", [1000, 100_000])
@pytest.mark.parametrize("name", FUNCTORS)
def test_a_functor_raises(name: str, limit: int) -> None:
    body = "\n    ".join(FUNCTORS[name].strip().splitlines())
    code = (
        f"sys.setrecursionlimit({limit})\ntry:\n    {body}\nexcept RecursionError:\n    print('no')"
    )
    assert run_python(MAKE + code) == "no\n"


def test_engines_take_any_depth_through_arrays() -> None:
    code = """
from uir.ir import TupleType
deep = TupleType([])
for _ in range(1_000_000):
    deep = TupleType([deep])
assert runtime.structural_equal(deep, copy.deepcopy(deep))
loaded = runtime.load_json(runtime.save_json(deep))
assert runtime.structural_hash(deep) == runtime.structural_hash(loaded)
assert len(runtime.post_order(deep, TupleType)) == 1_000_001
"""
    run_python(MAKE + code)
