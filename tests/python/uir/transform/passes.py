"""Passes and instruments that say what happens to them, in a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from uir.ir import GlobalVar, IRModule
from uir.tir import Evaluate, PrimFunc, const
from uir.transform import Instrument, ModulePass, PassContext, PassInfo, module_pass

__all__ = ["InstrumentError", "Log", "Recorder", "function", "module_of", "recorded"]

Log = list[str]


def function(value: int = 0) -> PrimFunc:
    """Return a function that is told from others by one number."""
    return PrimFunc([], Evaluate(const(value)))


def module_of(**functions: PrimFunc) -> IRModule:
    """Return a module of some functions by their names."""
    return IRModule({GlobalVar(name): func for name, func in functions.items()})


class Recorder(Instrument):
    """Writes down each call.

    Parameters
    ----------
    name
        What each line begins with.
    log
        Where the lines go.
    fails
        The call that raises: `enter`, `exit`, `should`, `before`, `after`; empty for none.
    answer
        What the instrument says when it is asked whether a pass should run.
    """

    def __init__(self, name: str, log: Log, *, fails: str = "", answer: bool = True) -> None:
        self.name, self.log, self.fails, self.answer = name, log, fails, answer

    def enter_pass_ctx(self) -> None:
        self._note("enter")

    def exit_pass_ctx(self) -> None:
        self._note("exit")

    def should_run(self, module: IRModule, info: PassInfo, /) -> bool:
        self._note("should", info)
        return self.answer

    def run_before_pass(self, module: IRModule, info: PassInfo, /) -> None:
        self._note("before", info)

    def run_after_pass(self, module: IRModule, info: PassInfo, /) -> None:
        self._note("after", info)

    def _note(self, call: str, info: PassInfo | None = None) -> None:
        self.log.append(f"{self.name}.{call}" + (f" {info.name}" if info else ""))
        if call == self.fails:
            raise InstrumentError(f"{self.name} fails")


class InstrumentError(Exception):
    """Raised by instruments that are to fail."""


def recorded(
    log: Log,
    name: str,
    opt_level: int = 0,
    required: Sequence[str] = (),
    act: Callable[[], None] = lambda: None,
) -> ModulePass:
    """Return a pass that writes its name down, and does something."""

    @module_pass(opt_level=opt_level, name=name, required=required)
    def run(module: IRModule, _context: PassContext) -> IRModule:
        log.append(name)
        act()
        return module

    return run
