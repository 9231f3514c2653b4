"""The options of `torch.compile`, and how a module is built with them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import tvm_ffi

from uir_nodes.ir import IRModule
from uir_nodes.target import Target
from uir_nodes.transform import Pass

from .... import tir, transform
from ....driver import build

__all__ = ["Options"]


class Options(NamedTuple):
    """Options of one call of `torch.compile`."""

    threads: int | None = None
    checks: str | None = None
    target: Target | str | None = None
    tuned: str | os.PathLike[str] | Sequence[Mapping[str, Any]] | None = None

    @staticmethod
    def of(given: Mapping[str, Any]) -> Options:
        """Return the options of a mapping.

        Raises
        ------
        ValueError
            If there is no such option, or `threads` is a number other than 1.
        """
        unknown = [name for name in given if name not in Options._fields]
        if unknown:
            known = ", ".join(f"`{name}`" for name in Options._fields)
            raise ValueError(f"the backend `uir` has no option `{unknown[0]}`; it has {known}")
        options = Options(**given)
        if options.threads not in (None, 1):
            raise ValueError(
                f"the option `threads` must be 1 or None, got {options.threads!r}: "
                "the environment variable UIR_NUM_THREADS sets the threads of the process"
            )
        return options

    def build(self, module: IRModule) -> tvm_ffi.Module:
        """Compile a module; the errors are those of `uir.build`."""
        pipeline = None if self.threads is None else serial_pipeline(self.target)
        return build(module, self.target, pipeline, self.tuned, self.checks)


def serial_pipeline(target: Target | str | None) -> list[Pass]:
    """Return the default passes, with one that leaves no loop to several threads."""
    pipeline = transform.default_pipeline(target)
    names = [one.pass_info.name for one in pipeline]
    pipeline.insert(names.index("LowerParallel"), serial_loops)
    return pipeline


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
