"""The stack of contexts: one for each thread, and nothing is inherited."""

from __future__ import annotations

import threading

import pytest

from uir.ir import IRModule
from uir.transform import PassContext, Sequential

from ...support.process import run_python
from ..support import refuses
from .passes import Log, Recorder, recorded


def test_without_a_context_there_is_a_default() -> None:
    current = PassContext.current()
    assert current.opt_level == 2
    assert current.same_as(PassContext.current())


def test_a_context_is_current_while_it_is_entered() -> None:
    before = PassContext.current()
    with PassContext(opt_level=3) as outer:
        assert PassContext.current().same_as(outer)
        with PassContext(opt_level=1) as inner:
            assert PassContext.current().same_as(inner)
        assert PassContext.current().same_as(outer)
    assert PassContext.current().same_as(before)


def test_an_inner_context_inherits_nothing() -> None:
    log: list[str] = []
    outer = PassContext(3, ["a"], ["b"], [Recorder("x", log)])
    with outer, PassContext() as inner:
        assert (inner.opt_level, len(inner.instruments), len(inner.config)) == (2, 0, 0)
        assert (list(inner.required_pass), list(inner.disabled_pass)) == ([], [])


def test_a_context_is_left_when_its_body_raises() -> None:
    before = PassContext.current()
    with pytest.raises(KeyError), PassContext():
        raise KeyError
    assert PassContext.current().same_as(before)


def test_a_context_may_be_entered_twice() -> None:
    with PassContext() as context:
        with context:
            assert PassContext.current().same_as(context)
        assert PassContext.current().same_as(context)


def test_only_the_current_context_is_left() -> None:
    outer, inner = PassContext(), PassContext()
    with outer, inner:
        with refuses(ValueError, "PassContext: the context to leave is not the current one"):
            outer.__exit__()
        assert PassContext.current().same_as(inner)


def test_each_thread_has_a_stack_of_its_own() -> None:
    seen: list[int] = []
    barrier = threading.Barrier(3)

    def run(opt_level: int) -> None:
        seen.append(PassContext.current().opt_level)
        with PassContext(opt_level=opt_level):
            barrier.wait(timeout=60)
            seen.append(PassContext.current().opt_level)
            barrier.wait(timeout=60)

    threads = [threading.Thread(target=run, args=(level,)) for level in (5, 6)]
    with PassContext(opt_level=7):
        for thread in threads:
            thread.start()
        barrier.wait(timeout=60)
        barrier.wait(timeout=60)
        for thread in threads:
            thread.join()
        assert PassContext.current().opt_level == 7
    assert sorted(seen) == [2, 2, 5, 6]


def test_threads_may_share_a_context_and_passes() -> None:
    context = PassContext(opt_level=4)
    counts: list[int] = []
    log: Log = []
    sequence = Sequential([recorded(log, "p", 4)] * 50)

    def run() -> None:
        for _ in range(20):
            with context:
                sequence(IRModule())
        counts.append(PassContext.current().opt_level)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [2] * 4
    assert len(log) == 4 * 20 * 50


LEFT_OPEN = """
import threading
from uir.transform import Instrument, PassContext

class Silent(Instrument):
    def exit_pass_ctx(self):
        print("exit")

def leave_open():
    PassContext.current().instruments = [Silent()]
    PassContext(instruments=[Silent()]).__enter__()

leave_open()
thread = threading.Thread(target=leave_open)
thread.start()
thread.join()
print("end")
"""


def test_a_process_may_end_in_a_context() -> None:
    assert run_python(LEFT_OPEN) == "end\n"
