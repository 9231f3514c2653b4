"""Counts of passes: those that they report, and those of the functions that they change."""

from __future__ import annotations

from threading import Thread

from uir import script, transform
from uir.ir import IRModule
from uir.transform import PassContext, PassStatistics, Sequential, count, module_pass

PROGRAM = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((16,), "float32")):
        for i in range(16):
            if i < 20:
                A[i] = A[i] + 1.0

    @tir.prim_func
    def other(A: tir.Buffer((16,), "float32")):
        A[0] = 1.0
"""


@module_pass(opt_level=0, name="Counting")
def counting(module: IRModule, _context: PassContext) -> IRModule:
    count("apples", 2)
    count("pears")
    return module


def test_counts_of_all_runs_are_added_up() -> None:
    statistics = PassStatistics()
    with PassContext(instruments=[statistics]):
        Sequential([counting, transform.Simplify(), counting], name="outer")(script.parse(PROGRAM))
    assert statistics.render() == (
        "    count  pass      what\n"
        "        4  Counting  apples\n"
        "        2  Counting  pears\n"
        "        1  Simplify  functions changed\n"
    )
    assert statistics.counts["Counting"]["apples"] == 4
    with PassContext(instruments=[statistics]):
        counting(IRModule())
    assert statistics.counts["Counting"]["apples"] == 2


def test_functions_are_added_and_removed() -> None:
    @module_pass(opt_level=0, name="Rename")
    def rename(module: IRModule, _context: PassContext) -> IRModule:
        (first, *_), (func, *rest) = module.functions.keys(), module.functions.values()
        assert rest
        return IRModule(
            {type(first)("one"): func, type(first)("two"): func.without_attr("global_symbol")}
        )

    statistics = PassStatistics()
    with PassContext(instruments=[statistics]):
        rename(script.parse(PROGRAM))
    assert dict(statistics.counts["Rename"]) == {
        "functions added": 2, "functions removed": 2, "functions changed": 0
    }  # fmt: skip


def test_counts_go_to_the_innermost_pass_and_context() -> None:
    inner, outer = PassStatistics(), PassStatistics()

    @module_pass(opt_level=0, name="Outer")
    def nested(module: IRModule, _context: PassContext) -> IRModule:
        count("plums", 5)
        with PassContext(instruments=[inner]):
            module = counting(module)
        with PassContext():
            return counting(module)

    with PassContext(instruments=[outer]):
        nested(IRModule())
    assert inner.counts["Counting"]["apples"] == 2
    # The context without instruments counts nothing.
    assert (outer.counts["Outer"]["plums"], outer.counts["Outer"]["apples"]) == (5, 0)
    count("nothing listens")


def test_threads_count_apart() -> None:
    statistics = PassStatistics()
    with PassContext(instruments=[statistics]):
        other = Thread(target=count, args=["lost"])
        other.start()
        other.join()
    assert not statistics.counts
