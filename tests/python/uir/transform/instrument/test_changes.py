"""Printing of changed modules."""

from __future__ import annotations

import io

import pytest

from uir import script, transform
from uir.ir import IRModule
from uir.transform import Instrument, PassContext, PrintChanged, PrintDiff, Sequential

TEXT = """
@uir.script.ir_module
class Module:
    @tir.prim_func
    def main(A: tir.Buffer((4,), "float32")):
        tir.evaluate(0)
        A[0 + 1] = 2.0
"""


def printed(instrument: Instrument, *passes: transform.Pass) -> None:
    module = script.parse(TEXT)
    assert isinstance(module, IRModule)
    with PassContext(instruments=[instrument]):
        Sequential([Sequential(list(passes), name="inner")])(module)


def test_passes_that_change_a_module_are_printed_once() -> None:
    """The sequences around a pass, and passes without effect, print nothing."""
    stream = io.StringIO()
    passes = transform.Simplify(), transform.Simplify(), transform.RemoveNoOp()
    printed(PrintChanged(stream=stream), *passes)
    headings = [line for line in stream.getvalue().splitlines() if line.startswith("#")]
    assert headings == ["# after Simplify", "# after RemoveNoOp"]
    last = stream.getvalue().partition("# after RemoveNoOp\n")[2]
    assert isinstance(script.parse(last), IRModule)
    assert "evaluate" not in last


def test_a_diff_has_the_changed_lines() -> None:
    stream = io.StringIO()
    printed(PrintDiff(stream=stream), transform.Simplify())
    lines = stream.getvalue().splitlines()
    assert lines[:2] == ["--- before Simplify", "+++ after Simplify"]
    changed = [line for line in lines[2:] if line[0] in "+-"]
    assert changed == ["-        A[0 + 1] = 2.0", "+        A[1] = 2.0"]


def test_a_failed_pass_does_not_disturb_the_next_context() -> None:
    @transform.module_pass(opt_level=0, name="Fails")
    def fails(module: IRModule, context: PassContext) -> IRModule:
        raise ValueError("no")

    stream = io.StringIO()
    instrument = PrintDiff(stream=stream)
    with pytest.raises(ValueError, match="no"):
        printed(instrument, fails)
    printed(instrument, transform.Simplify())
    assert stream.getvalue().count("--- before") == 1
