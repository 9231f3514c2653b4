"""Deep objects: engines take any depth, functors raise RecursionError, nothing crashes.

Each case runs in a process of its own, with the usual stack of 8 MB.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ....support.depth import DEPTH
from ....support.process import run_python

MANY = 1_000_000 if DEPTH > 1 else 200_000
"""Of what is not one chain: a recursion ends far below, a quadratic engine takes a minute."""
SECONDS = MANY // 5_000
"""Processor time, ten times what all engines take together where each is linear."""

MAKE = """
import copy, pickle, resource, sys
resource.setrlimit(resource.RLIMIT_STACK, (8 << 20, 8 << 20))
from tschema import runtime
from tschema.runtime.protocols import field_text
from uir.ir import IntImm
from uir.tir import Not, PrimExprFunctor, PrimExprMutator, PrimExprVisitor, Var, SeqStmt, Evaluate
def chain(depth):
    node = Var("x", "bool")
    for _ in range(depth):
        node = Not(node)
    return node
"""
LOAD = """
with open(sys.argv[1], "rb") as file:
    deep = runtime.load_binary(file.read())
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
    "fields": "assert len(field_text(deep)) > 1_000_000",
    "repr": "assert len(repr(deep)) < 1000",
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


@pytest.fixture(scope="module")
def deep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a chain of a million nodes: loading one takes a quarter of the time of making one."""
    path = tmp_path_factory.mktemp("deep") / "chain.bin"
    save = 'open(sys.argv[1], "wb").write(runtime.save_binary(chain(1_000_000)))'
    run_python(MAKE + save, path)
    return path


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_takes_any_depth(name: str, deep: Path) -> None:
    run_python(f"{MAKE}{LOAD}{ENGINES[name]}", deep)


@pytest.mark.parametrize("limit", [1000, 100_000])
@pytest.mark.parametrize("name", FUNCTORS)
def test_a_functor_raises(name: str, limit: int) -> None:
    body = "\n    ".join(FUNCTORS[name].strip().splitlines())
    code = (
        f"sys.setrecursionlimit({limit})\ntry:\n    {body}\nexcept RecursionError:\n    print('no')"
    )
    assert run_python(f"{MAKE}deep = chain({2 * limit})\n{code}") == "no\n"


def test_engines_take_any_depth_through_arrays() -> None:
    code = f"""
from uir.ir import TupleType
deep = TupleType([])
for _ in range({MANY}):
    deep = TupleType([deep])
assert runtime.structural_equal(deep, copy.deepcopy(deep))
loaded = runtime.load_json(runtime.save_json(deep))
assert runtime.structural_hash(deep) == runtime.structural_hash(loaded)
assert len(runtime.post_order(deep, TupleType)) == {MANY} + 1
"""
    run_python(MAKE + code)


@pytest.mark.parametrize("shape", ["shared", "wide"])
def test_engines_are_linear(shape: str) -> None:
    """2^60 paths, or very many children: seconds at most, or the process is killed."""
    code = f"""
resource.setrlimit(resource.RLIMIT_CPU, ({SECONDS}, -1))
from uir.tir import Add
def make_shared():
    node = IntImm("int32", 1)
    for _ in range(60):
        node = Add(node, node)
    return node
def make_wide():
    return SeqStmt([Evaluate(IntImm("int32", value)) for value in range({MANY})])
one, other = make_{shape}(), make_{shape}()
assert runtime.structural_equal(one, other) and runtime.first_mismatch(one, other) is None
assert runtime.structural_hash(one) == runtime.structural_hash(other)
for copied in (
    runtime.load_json(runtime.save_json(one)), runtime.load_binary(runtime.save_binary(one)),
    runtime.deep_copy(one), pickle.loads(pickle.dumps(one)),
):
    assert len(runtime.post_order(copied)) == len(runtime.post_order(one))
assert runtime.map(one, lambda node: None).same_as(one)
changed = runtime.map(one, lambda node: IntImm("int32", 2) if isinstance(node, IntImm) else None)
assert not runtime.structural_equal(one, changed)
repr(one)
"""
    run_python(MAKE + code)
