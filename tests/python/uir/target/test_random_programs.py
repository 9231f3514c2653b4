"""Random programs give the same results, interpreted and compiled, by two sequences of passes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from uir import transform
from uir.ir import GlobalVar, IRModule, with_attr
from uir.target import Target, emit_c
from uir.tir import Call, PrimFunc, StmtMutator

from ....differential.programs.functions import arguments, random_module, same_results
from ...support.compiled_c import load_c
from ...support.interpreter import run

PLAIN = transform.Sequential(
    [transform.LowerBlocks(), transform.FlattenBuffer(), transform.VectorizeLoop()]
)
ALL = transform.Sequential(
    [
        transform.LowerBlocks(),
        transform.Simplify(),
        transform.LoopPartition(),
        transform.FlattenBuffer(),
        transform.VectorizeLoop(),
        transform.UnrollLoop(),
        transform.Simplify(),
        transform.CommonSubexprElim(),
        transform.StorageRewrite(),
        transform.NarrowDataType(),
        transform.RemoveNoOp(),
        transform.LowerParallel(),
    ]
)

UNDEFINED = ("-fsanitize=undefined", "-fno-sanitize-recover=undefined")
"""A program with undefined behaviour ends the process."""


class _Renamed(StmtMutator):
    """Calls functions by other variables."""

    def __init__(self, names: dict[GlobalVar, GlobalVar]) -> None:
        super().__init__()
        self.names = names

    def visit_call(self, node: Call, /) -> Any:
        call = super().visit_call(node)
        assert isinstance(call, Call)
        if not isinstance(call.op, GlobalVar):
            return call
        return Call(call.dtype, self.names[call.op], call.args)


def together(modules: dict[int, IRModule]) -> IRModule:
    """Return one module of several, whose functions get numbers."""
    functions: dict[GlobalVar, PrimFunc] = {}
    for number, module in modules.items():
        names = {var: GlobalVar(f"{var.name_hint}{number}") for var in module.functions}
        renamed = _Renamed(names)
        for var, func in module.functions.items():
            assert isinstance(func, PrimFunc)
            body = renamed.visit(func.body)
            made = PrimFunc(func.params, body, buffer_map=func.buffer_map, attrs=func.attrs)
            is_public = func.get_attr("global_symbol") is not None
            symbol = names[var].name_hint if is_public else None
            functions[names[var]] = with_attr(made, "global_symbol", symbol)
    return IRModule(functions)


@pytest.mark.parametrize(
    ("passes", "seeds", "flags"),
    [(PLAIN, range(30), ()), (ALL, range(30, 60), ()), (ALL, range(60, 75), UNDEFINED)],
    ids=["plain", "all passes", "undefined behaviour"],
)
def test_interpreted_and_compiled_agree(
    passes: transform.Pass, seeds: range, flags: tuple[str, ...], tmp_path: Path
) -> None:
    modules = {seed: random_module(seed) for seed in seeds}
    with transform.PassContext(config={"LowerParallel.min_work": 0}):
        lowered = passes(together(modules))
    library = load_c(emit_c(lowered, Target()), tmp_path, flags=flags)
    different = []
    for seed, module in modules.items():
        main = module.lookup("main")
        assert isinstance(main, PrimFunc)
        interpreted, compiled = arguments(main, seed), arguments(main, seed)
        run(main, *interpreted, module=module)
        library[f"main{seed}"](*compiled)
        if not same_results(interpreted, compiled):
            different.append(seed)
    assert different == []


def test_the_text_is_always_the_same() -> None:
    first, again = (emit_c(PLAIN(random_module(3)), Target()) for _ in range(2))
    assert first == again
