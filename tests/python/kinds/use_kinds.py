"""Use every kind of class in Python, in a process of its own.

In: maybe the library in Rust as an argument.  Out: nothing, or an error.
"""

from __future__ import annotations

import sys

import tvm_ffi


def main() -> None:
    from kinds_nodes.ir import (  # type: ignore[import-not-found]
        AddStep,
        Bare,
        BothSteps,
        Checked,
        Config,
        Expr,
        Hand,
        Holder,
        Level,
        Lonely,
        MarkedExpr,
        NearGoal,
        Note,
        Pair,
        Span,
        Step,
        StepMutator,
        StepVisitor,
        TunedConfig,
        _ffi_api,
    )

    from tschema.runtime import (
        deep_copy,
        layout,
        load_binary,
        load_json,
        save_binary,
        save_json,
        structural_equal,
        structural_hash,
    )

    _ffi_api.check_in_cpp()
    if len(sys.argv) > 1:
        library = tvm_ffi.load_module(sys.argv[1])
        library.init()
        library.check_in_rust()

    # Default-constructible: what is left out is what the initializers make.
    config = Config()
    assert (config.level, config.name, config.limit, config.ratio) == (Level.QUIET, "", 42, 0.5)
    assert (list(config.tags), config.span, config.pair, config.expr) == ([], None, None, None)
    assert _ffi_api.check_config(config) == " 42 0 0"
    config = Config(limit=7, tags=["a"], span=Span(3), pair=Pair(1, 2), expr=MarkedExpr("e", 1))
    assert _ffi_api.check_config(config) == " 7 0 1 span pair expr"
    config.level = Level.LOUD
    config.pair = None
    assert config.level is Level.LOUD and config.pair is None
    tuned = TunedConfig(extra={"x": 1})
    assert (tuned.ratio, tuned.limit, dict(tuned.extra)) == (0.75, 42, {"x": 1})
    empty = tvm_ffi.get_global_func("ffi.MakeObjectFromPackedArgs", allow_missing=True)
    assert empty is None or empty("kinds.ir.Config").limit == 42

    checked = Checked("e", width=3)
    assert (checked.area, Checked().area, checked.name, Checked().name) == (9, 4, "e", "")
    try:
        Checked("e", -1)
        raise AssertionError("a check of PostInit did not run")
    except ValueError as error:
        assert "the width is negative" in str(error)
    assert (NearGoal().reach(), NearGoal(10).reach(), NearGoal().limit) == (21, 5, 42)
    assert Note().span is None and Note(Span(2), "x").text == "x"

    # Polymorphic: offsets count from what a handle points to.
    step = BothSteps(False, AddStep(True, True, 5, None), AddStep(False, True, 6, Span(1)))
    assert step.run(1) == 12 and step.first.is_fast and step.first.amount == 5
    assert layout("kinds.ir.AddStep").field("is_exact").offset == 32
    assert layout("kinds.ir.AddStep").size == 64
    visited: list[str] = []

    class Names(StepVisitor):  # type: ignore[misc]
        def visit_add_step(self, op: AddStep) -> None:
            visited.append(f"{op.amount}")

    Names().visit(step)
    assert visited == ["5", "6"]

    class Doubled(StepMutator):  # type: ignore[misc]
        def visit_add_step(self, op: AddStep) -> AddStep:
            return AddStep(op.is_fast, op.is_exact, 2 * op.amount, op.span)

    assert Doubled().visit(step).run(1) == 23

    # References and methods of every kind.
    assert list(Pair(1, "x").both()) == [1, "x"]
    assert Pair(1, 2).count() == 2 and Pair(1, 2).count(3) == 5
    assert Pair.twice(4).right == 4
    assert Lonely(1, Hand(2)).hand.value == 2 and Lonely(1, None).hand is None
    assert Bare(9).value == 9

    # Of another library, and unknown to the registry.
    assert isinstance(MarkedExpr("n", 3), Expr) and MarkedExpr("n", 3).name == "n"
    holder = _ffi_api.make_holder(8)
    assert isinstance(holder.hidden, tvm_ffi.Object) and holder.config.limit == 42
    assert isinstance(Holder(holder.hidden, config).hidden, tvm_ffi.Object)

    for node in (
        config,
        tuned,
        step,
        checked,
        Note(),
        Lonely(1, Hand(2)),
        Lonely(1, None),
        MarkedExpr("n", 3),
    ):
        for copy in (
            deep_copy(node), load_json(save_json(node)), load_binary(save_binary(node)),
        ):  # fmt: skip
            assert type(copy) is type(node)
            assert structural_equal(node, copy) and structural_hash(node) == structural_hash(copy)
    assert not structural_equal(Config(span=Span(1)), Config())
    assert isinstance(step, Step)


if __name__ == "__main__":
    main()
