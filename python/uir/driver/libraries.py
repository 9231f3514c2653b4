"""One program, a library for each kind of machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from uir_nodes.ir import BaseFunc, IRModule
from uir_nodes.target import Target
from uir_nodes.te import Tensor
from uir_nodes.tir import Var

from ..runtime import export_library
from .build import TunedRows, build

__all__ = ["export_libraries"]

_PLACE = "{isa}"


def export_libraries(
    input: IRModule | BaseFunc | Sequence[Tensor | Var],
    path: str | os.PathLike[str],
    targets: Sequence[Target | str],
    tuned: TunedRows | None = None,
) -> list[Path]:
    """Compile a program for several kinds of machine, and write a file for each.

    For another machine it takes the compiler of the extra `uir[compiler]`, unless `UIR_CC` names
    one. Nothing is written unless the program compiles for every target.

    Parameters
    ----------
    input
        The program, as `build` takes it.
    path
        The files, in which `{isa}` is replaced by the processors of a target: `net-{isa}.so`. The
        ending decides the kind of file, as for `uir.runtime.export_library`.
    targets
        The machines, or their processors: `"x86-64"`, `"aarch64"`. A file for `"x86-64"` has code
        for all processors of this kind.
    tuned
        Rows of parameters or a file of tuned kernels, as for `build`.

    Returns
    -------
    paths
        The files, in the order of the targets.

    Raises
    ------
    ValueError
        If there are no targets, two of them have the same processors, `path` has no `{isa}`, or
        `build` or `export_library` refuses something.
    RuntimeError
        If there is no compiler for a target, or it fails.
    """
    machines = [Target("c", one) if isinstance(one, str) else one for one in targets]
    paths = _paths(os.fspath(path), [str(machine.isa) for machine in machines])
    modules = [build(input, machine, tuned=tuned) for machine in machines]
    with TemporaryDirectory(prefix=".export-", dir=paths[0].parent) as folder:
        made = [Path(folder, path.name) for path in paths]
        for module, file in zip(modules, made, strict=True):
            export_library(module, file)
        for file, path in zip(made, paths, strict=True):
            file.replace(path)
    return paths


def _paths(path: str, kinds: Sequence[str]) -> list[Path]:
    """Return the file for each kind of processors."""
    if not kinds:
        raise ValueError("export_libraries: `targets` is empty: name one, such as 'x86-64'")
    if _PLACE not in path:
        raise ValueError(f"export_libraries: `path` must have `{_PLACE}`, got `{path}`")
    twice = next((kind for at, kind in enumerate(kinds) if kind in kinds[:at]), None)
    if twice is not None:
        raise ValueError(f"export_libraries: two targets have the processors `{twice}`")
    if _PLACE in os.path.dirname(path):
        raise ValueError(
            f"export_libraries: `{_PLACE}` must be in the name of the file, got `{path}`"
        )
    return [Path(path.replace(_PLACE, kind)) for kind in kinds]
