"""Errors in passes: of their own types, with their tracebacks, with the pass named."""

from __future__ import annotations

import contextlib
import gc
import sys
import traceback
import weakref
from collections.abc import Callable

import pytest

from uir.ir import IRModule, NodeError, error_context, raise_at
from uir.tir import Add, Evaluate, For, ForKind, PrimFunc, SeqStmt, Stmt, Var, const
from uir.transform import (
    Instrument,
    ModulePass,
    Pass,
    PassContext,
    PassInfo,
    Sequential,
    module_pass,
    prim_func_pass,
)

from ..support import refuses
from .passes import Log, Recorder, function, module_of, recorded

MODULE = module_of(main=function())


class OddError(ValueError):
    """An error that Python alone knows."""

    def __init__(self, message: str, code: int = 0) -> None:
        super().__init__(message)
        self.code = code


def failing(act: Callable[[], None]) -> ModulePass:
    return recorded([], "fail", act=act)


def test_the_exception_is_the_one_that_was_raised() -> None:
    error = OddError("odd", code=3)

    def fail() -> None:
        raise error

    with pytest.raises(OddError) as raised:
        Sequential([failing(fail)])(MODULE)
    assert raised.value is error
    assert error.code == 3
    assert str(error) == "in pass `fail`: odd"


def test_the_traceback_shows_the_line_of_the_pass() -> None:
    def fail() -> None:
        raise OddError("odd")

    with pytest.raises(OddError) as raised:
        failing(fail)(MODULE)
    frames = traceback.extract_tb(raised.value.__traceback__)
    assert frames[-1].name == "fail"
    assert frames[-1].line == 'raise OddError("odd")'
    assert raised.value.__context__ is None


@pytest.mark.parametrize("error", [KeyError("odd"), OddError(("a", "b")), KeyboardInterrupt()])  # type: ignore[arg-type]
def test_an_exception_with_a_message_of_its_own_gets_a_note(error: BaseException) -> None:
    args = error.args

    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as raised:
        failing(fail)(MODULE)
    assert raised.value is error
    assert error.args == args
    assert [note.partition(":")[0] for note in error.__notes__] == ["in pass `fail`"]
    if sys.version_info >= (3, 11):
        assert "in pass `fail`" in "".join(traceback.format_exception(error))


def test_causes_are_kept() -> None:
    def fail() -> None:
        try:
            {}["x"]
        except KeyError as error:
            raise OddError("odd") from error

    with pytest.raises(OddError) as raised:
        failing(fail)(MODULE)
    assert isinstance(raised.value.__cause__, KeyError)


def test_a_pass_that_runs_another_one() -> None:
    def fail() -> None:
        raise OddError("odd")

    with refuses(OddError, "in pass `outer`: in pass `fail`: odd"):
        recorded([], "outer", act=lambda: void(failing(fail)))(MODULE)


def test_the_context_names_the_innermost_pass() -> None:
    def fail() -> None:
        raise_at(Evaluate(const(1)), "odd")

    assert error_context(KeyError()).pass_name == ""
    outer = recorded([], "outer", act=lambda: void(failing(fail)))
    with pytest.raises(NodeError) as raised:
        outer(MODULE)
    context = error_context(raised.value)
    assert context.pass_name == "fail"
    assert context.node is not None
    assert context.node.same_as(raised.value.node)
    assert str(raised.value).count("^ odd") == 1


def test_an_error_that_cpp_throws_in_a_pass() -> None:
    def fail() -> None:
        Add(Var("x", "int32"), Var("y", "int64"))

    with pytest.raises(TypeError, match="^in pass `fail`: .*int32.*int64"):
        failing(fail)(MODULE)


def test_an_error_of_an_instrument_is_the_one_that_was_raised() -> None:
    log: Log = []
    with (
        pytest.raises(Exception, match="^in instrument `x`: x fails$") as raised,
        PassContext(instruments=[Recorder("x", log, fails="before")]),
    ):
        recorded(log, "p")(MODULE)
    assert raised.value.__context__ is None


def test_an_error_about_a_node() -> None:
    body = function().body

    @prim_func_pass()
    def refuse(func: PrimFunc, _module: object, _context: PassContext) -> PrimFunc:
        raise_at(func.body, "`body` is odd")

    module = module_of(main=PrimFunc([], body))
    with pytest.raises(
        NodeError, match="^in pass `refuse`, function `main`: `body` is odd"
    ) as raised:
        refuse(module)
    assert isinstance(raised.value.node, Stmt)
    assert raised.value.node.same_as(body)


def refuse_at(node: Stmt) -> Callable[[], None]:
    def fail() -> None:
        raise_at(node, "odd")

    return fail


def test_the_node_is_underlined_in_the_script() -> None:
    inner = Evaluate(const(7))
    loop = For(Var("i", "int32"), const(0), const(8), ForKind.SERIAL, SeqStmt([inner, inner]))
    module = module_of(main=PrimFunc([], loop), other=function())
    with pytest.raises(NodeError) as raised:
        failing(refuse_at(loop))(module)
    assert str(raised.value).splitlines()[:5] == [
        "in pass `fail`: odd",
        "@tir.prim_func(private=True)",
        "def main():",
        "    for i in range(8):",
        "    ^^^^^^^^^^^^^^^^^^ odd",
    ]


def test_of_a_long_script_what_is_near_is_shown() -> None:
    lines = [Evaluate(const(number)) for number in range(1000)]
    loop = For(Var("i", "int32"), const(0), const(8), ForKind.SERIAL, SeqStmt(lines))
    with pytest.raises(NodeError) as raised:
        failing(refuse_at(lines[500]))(module_of(main=PrimFunc([], loop)))
    shown = str(raised.value).splitlines()
    assert [line.strip() for line in shown if "tir.evaluate" not in line] == [
        *("in pass `fail`: odd", "...", "def main():", "for i in range(8):", "..."),
        *("^^^^^^^^^^^^^^^^^ odd", "..."),
    ]
    numbers = [line.strip() for line in shown if "tir.evaluate" in line]
    assert "tir.evaluate(500)" in numbers
    assert len(numbers) < 40


def test_a_node_that_is_nowhere_is_shown_by_itself() -> None:
    with pytest.raises(NodeError) as raised:
        failing(refuse_at(Evaluate(const(7))))(MODULE)
    assert str(raised.value) == "in pass `fail`: odd\ntir.evaluate(7)\n^^^^^^^^^^^^^^^ odd"


def test_nothing_is_kept_of_an_error() -> None:
    """Its frames hold the variables of all callers: a cycle would keep them until a collection."""

    class Large:
        """What a caller holds."""

    def fail() -> None:
        raise OddError("odd")

    class Failing(Instrument):
        def run_before_pass(self, module: IRModule, info: PassInfo, /) -> None:
            fail()

    def call(run: Callable[[], object]) -> weakref.ref[Large]:
        large = Large()
        with contextlib.suppress(ValueError):
            run()
        return weakref.ref(large)

    nested = recorded([], "outer", act=lambda: void(failing(fail)))
    runs: list[Callable[[], object]] = [
        lambda: failing(fail)(MODULE),
        lambda: failing(refuse_at(Evaluate(const(7))))(MODULE),
        lambda: Sequential([failing(fail)])(MODULE),
        lambda: nested(MODULE),
        lambda: instrumented(Failing()),
    ]
    gc.disable()
    try:
        assert [call(run)() for run in runs] == [None] * len(runs)
    finally:
        gc.enable()


def instrumented(instrument: Instrument) -> None:
    with PassContext(instruments=[instrument]):
        void(recorded([], "fine"))


def void(pass_: Pass) -> None:
    pass_(MODULE)


def test_recursion_is_an_error() -> None:
    @module_pass()
    def endless(module: object, context: PassContext) -> object:
        return endless(module)  # type: ignore[arg-type]

    with pytest.raises(RecursionError):
        endless(MODULE)
