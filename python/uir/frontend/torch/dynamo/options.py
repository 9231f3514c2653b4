"""The options of `torch.compile`, and how a module is built with them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import tvm_ffi

from uir_nodes.ir import IRModule
from uir_nodes.target import Target
from uir_nodes.transform import Pass

from .... import tir, transform
from ....driver import build
from .panels import Panels
from .threads import with_threads

__all__ = ["Options"]

# The greatest number of threads of a pool: `cpp/src/uir/target/runtime/pool.c`.
MOST_THREADS = 1024


class Options(NamedTuple):
    """Options of one call of `torch.compile`."""

    threads: int | None = None
    checks: str | None = None
    target: Target | str | None = None
    tuned: str | os.PathLike[str] | Sequence[Mapping[str, Any]] | None = None
    freeze: bool | None = None

    @staticmethod
    def of(given: Mapping[str, Any]) -> Options:
        """Return the options of a mapping.

        Raises
        ------
        ValueError
            If there is no such option, `threads` is not a number from 1 to 1024, or `freeze` is
            not a boolean.
        """
        unknown = [name for name in given if name not in Options._fields]
        if unknown:
            known = ", ".join(f"`{name}`" for name in Options._fields)
            raise ValueError(f"the backend `uir` has no option `{unknown[0]}`; it has {known}")
        options = Options(**given)
        if not is_number_of_threads(options.threads):
            raise ValueError(
                f"the option `threads` must be None or from 1 to {MOST_THREADS}, "
                f"got {options.threads!r}"
            )
        if not isinstance(options.freeze, bool | None):
            raise ValueError(
                f"the option `freeze` must be a boolean or None, got {options.freeze!r}"
            )
        return options

    def function(self, module: IRModule, panels: Panels) -> Callable[..., Any]:
        """Return the compiled `main` of a module, which runs on the threads of the options.

        The errors are those of `uir.build`.

        Parameters
        ----------
        module
            The module.
        panels
            The weights that are panels.
        """
        function: Callable[..., Any] = self.build(module, panels)["main"]
        if self.threads is None or self.threads == 1:
            return function
        return with_threads(function, self.threads)

    def build(self, module: IRModule, panels: Panels | None = None) -> tvm_ffi.Module:
        """Compile a module, whose weights may be panels; the errors are those of `uir.build`."""
        pipeline: Sequence[Pass] = transform.default_pipeline(self.target)
        if self.threads == 1:
            pipeline = serial_pipeline(pipeline)
        if panels is not None:
            pipeline = panels.added_to(pipeline)
        return build(module, self.target, pipeline, self.tuned, self.checks)


def is_number_of_threads(value: object) -> bool:
    """Return whether a value of the option `threads` is None or a number that a pool may have."""
    if value is None:
        return True
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_THREADS


def serial_pipeline(pipeline: Sequence[Pass]) -> list[Pass]:
    """Return the default passes, with one that leaves no loop to several threads."""
    names = [one.pass_info.name for one in pipeline]
    place = names.index("LowerParallel")
    return [*pipeline[:place], serial_loops, *pipeline[place:]]


class Serial(tir.StmtMutator):
    """Makes loops on several threads plain loops."""

    def visit_for(self, node: tir.For, /) -> tir.Stmt:
        if node.kind == tir.ForKind.PARALLEL:
            return self.rebuilt(node, kind=tir.ForKind.SERIAL)
        return super().visit_for(node)


@transform.prim_func_pass(opt_level=0, name="SerialLoops")
def serial_loops(
    func: tir.PrimFunc, module: IRModule, context: transform.PassContext
) -> tir.PrimFunc:
    """Make loops on several threads plain loops."""
    return func.with_body(Serial().visit(func.body))
