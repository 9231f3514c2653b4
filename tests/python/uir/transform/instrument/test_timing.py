"""How long passes took: nested, failed, and as a table."""

from __future__ import annotations

import pytest

from uir.ir import IRModule
from uir.transform import Pass, PassContext, PassTiming, Sequential, module_pass


class Clock:
    """Stands still until a pass moves it."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now

    def takes(self, name: str, milliseconds: int) -> Pass:
        @module_pass(opt_level=0, name=name)
        def run(module: IRModule, _context: PassContext) -> IRModule:
            self.now += milliseconds * 1_000_000
            return module

        return run


@pytest.fixture
def clock() -> Clock:
    """Return a clock that a test moves."""
    return Clock()


def test_a_table_of_nested_passes(clock: Clock) -> None:
    timing = PassTiming(clock=clock)
    inner = Sequential([clock.takes("Slow", 30), clock.takes("Quick", 1)], name="inner")
    with PassContext(instruments=[timing]):
        Sequential([inner, clock.takes("Last", 9)], name="outer")(IRModule())
    assert timing.render() == (
        "        ms      %  pass\n"
        "    40.000  100.0  outer\n"
        "    31.000   77.5    inner\n"
        "    30.000   75.0      Slow\n"
        "     1.000    2.5      Quick\n"
        "     9.000   22.5    Last\n"
        "    40.000  100.0  total\n"
    )


def test_a_failed_pass_and_what_it_runs_in(clock: Clock) -> None:
    @module_pass(opt_level=0, name="Breaks")
    def breaks(module: IRModule, _context: PassContext) -> IRModule:
        clock.now += 2_000_000
        raise ValueError("no")

    timing = PassTiming(clock=clock)
    with pytest.raises(ValueError, match="no"), PassContext(instruments=[timing]):
        Sequential([clock.takes("One", 3), breaks], name="all")(IRModule())
    times = [(run.name, run.depth, run.nanoseconds, run.finished) for run in timing.runs]
    assert times == [
        ("all", 0, 5_000_000, False),
        ("One", 1, 3_000_000, True),
        ("Breaks", 1, 2_000_000, False),
    ]
    assert "Breaks (failed)" in timing.render()


def test_a_pass_that_catches_the_error_of_another(clock: Clock) -> None:
    @module_pass(opt_level=0, name="Breaks")
    def breaks(module: IRModule, _context: PassContext) -> IRModule:
        raise ValueError("no")

    @module_pass(opt_level=0, name="Tries")
    def tries(module: IRModule, _context: PassContext) -> IRModule:
        with pytest.raises(ValueError, match="no"):
            breaks(module)
        return module

    timing = PassTiming(clock=clock)
    with PassContext(instruments=[timing]):
        Sequential([tries, clock.takes("Next", 1)], name="all")(IRModule())
    found = [(run.name, run.depth, run.finished) for run in timing.runs]
    assert found == [("all", 0, True), ("Tries", 1, True), ("Breaks", 2, False), ("Next", 1, True)]


def test_nothing_run_is_an_empty_table() -> None:
    timing = PassTiming()
    with PassContext(instruments=[timing]):
        pass
    assert timing.render() == "        ms      %  pass\n     0.000  100.0  total\n"
