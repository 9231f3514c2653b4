"""Functions have versions for several instruction sets."""

from __future__ import annotations

from uir import script, tir
from uir.ir import IRModule
from uir.schedule import ClassifyBlocks, ScheduleElementwise
from uir.transform import LowerParallel, MultiversionFunctions, Sequential, VerifyWellFormed

PROGRAM = """
@uir.script.ir_module
class Module:
    outside = ir.ExternFunc("outside")

    @tir.prim_func
    def main(A: tir.Buffer((100000,), "float32"), B: tir.Buffer((100000,), "float32")):
        Module.scale(A.data, B.data)

    @tir.prim_func(private=True)
    def scale(A: tir.Buffer((100000,), "float32"), B: tir.Buffer((100000,), "float32")):
        tir.func_attr({"tir.noalias": True})
        for i in tir.parallel(100000):
            B[i] = A[i] * 2.0
"""
VERSIONS = MultiversionFunctions(["x86-64-v4", "x86-64-v3"])


def callees(func: tir.PrimFunc) -> set[str]:
    found: set[str] = set()

    class Calls(tir.StmtVisitor):
        def visit_call(self, node: tir.Call, /) -> None:
            found.add(getattr(node.op, "name_hint", ""))
            super().visit_call(node)

    Calls().visit(func.body)
    return found - {""}


def versions_of(module: IRModule) -> dict[str, str]:
    return {
        var.name_hint: func.get_attr("isa")
        for var, func in module.functions.items()
        if isinstance(func, tir.PrimFunc)
    }


def test_versions_call_each_other() -> None:
    module = VERSIONS(script.parse(PROGRAM))
    assert versions_of(module) == {
        **{"main": "generic", "scale": "generic"},
        **{"main_v3": "x86-64-v3", "scale_v3": "x86-64-v3"},
        **{"main_v4": "x86-64-v4", "scale_v4": "x86-64-v4"},
    }
    for end in ("", "_v3", "_v4"):
        assert callees(module.lookup(f"main{end}")) == {f"scale{end}"}
        assert module.lookup(f"scale{end}").get_attr("version_of") is None
    assert module.lookup("main").get_attr("global_symbol") == "main"
    assert module.lookup("main_v3").get_attr("global_symbol") is None
    assert module.lookup("main_v3").get_attr("version_of") == "main"
    assert len(module.functions) == 7
    VerifyWellFormed()(module)


def test_versions_are_not_made_twice() -> None:
    module = VERSIONS(script.parse(PROGRAM))
    assert VERSIONS(module).same_as(module)
    assert MultiversionFunctions([])(script.parse(PROGRAM)).lookup("main").get_attr("isa") is None


def test_names_that_are_in_use() -> None:
    text = PROGRAM.replace("scale", "main_v3")
    assert set(versions_of(VERSIONS(script.parse(text)))) == {
        *("main", "main_v3", "main_v3_1", "main_v3_v3", "main_v4", "main_v3_v4"),
    }


def test_recipes_and_parallel_loops_keep_the_instruction_set() -> None:
    text = PROGRAM.replace("tir.parallel(100000)", "range(100000)")
    module = Sequential([VERSIONS, ClassifyBlocks(), ScheduleElementwise("generic")])(
        script.parse(text)
    )
    for end, lanes in (("", 4), ("_v3", 8), ("_v4", 16)):
        (line,) = module.lookup(f"scale{end}").get_attr("schedule_trace")
        assert line.startswith(f"ScheduleElementwise: B: vectors(lanes={lanes},")
    parallel = versions_of(LowerParallel()(VERSIONS(script.parse(PROGRAM))))
    assert parallel["scale_v4_parallel"] == "x86-64-v4"
    assert parallel["scale_parallel"] == "generic"


def test_versions_round_trip() -> None:
    module = VERSIONS(script.parse(PROGRAM))
    parsed = script.parse(str(module))
    assert versions_of(parsed) == versions_of(module)
