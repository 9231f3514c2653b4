"""Profiles and compiled modules in notebooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isnan

from tvm_ffi import Module

from uir_nodes.runtime import KernelProfile, Profile

from .html import Bar, fragment, rows_table
from .units import time_text

__all__ = ["install_html"]

_ENTRY = re.compile(r"\bENTRY __tvm_ffi_(\w+)\(")
_COUNT = re.compile(r'\bcheck_num_args\(\s*"(\w+)", \d+,\s*((?:"(?:\\.|[^"\\])*"\s*)+)')
_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
_SHARED_ENTRY = "uir_profile_v1"
_INTO = "_into"
_C = "c"


def install_html() -> None:
    """Make notebooks show profiles and modules of `uir.build`."""
    # Neither class is written here: one is generated, one is that of tvm-ffi.
    setattr(Profile, "_repr_html_", profile_html)  # noqa: B010
    setattr(Module, "_repr_html_", module_html)  # noqa: B010


def profile_html(profile: Profile) -> str:
    """Return a profile as a table with a bar for each kernel."""
    calls = (
        f"{profile.name}: {profile.calls} calls, {time_text(profile.total / profile.calls)} each"
    )
    rows = [_kernel_row(kernel, profile.total) for kernel in profile.kernels]
    outside = profile.total - sum(kernel.total for kernel in profile.kernels)
    rows.append(("(outside kernels)", "", _share(outside, profile.total), "", "", ""))
    return fragment(
        rows_table(calls, ["kernel", "calls", "total", "median", "rate", "source"], rows)
    )


def _kernel_row(kernel: KernelProfile, total: float) -> tuple[str | Bar, ...]:
    rate = kernel.gflops_per_second()
    return (
        kernel.name,
        str(kernel.calls),
        _share(kernel.total, total),
        time_text(kernel.median),
        "" if isnan(rate) else f"{rate:.1f} GFLOP/s",
        kernel.source,
    )


def _share(seconds: float, total: float) -> Bar:
    share = seconds / total if total else 0.0
    return Bar(share, f"{time_text(seconds)}, {share:.1%}")


def module_html(module: Module) -> str | None:
    """Return the functions of a compiled module; None for those of other libraries."""
    if module.kind != _C:
        return None
    rows = [*_signatures(module.inspect_source())]
    return fragment(rows_table("compiled module", ["function", "parameters", "results"], rows))


def _signatures(source: str) -> Iterator[tuple[str, str, str]]:
    """Yield the names of entries in emitted C, and what their errors say of their arguments."""
    texts = {name: _joined(parts) for name, parts in _COUNT.findall(source)}
    for name in dict.fromkeys(_ENTRY.findall(source)):
        if name == _SHARED_ENTRY or (name.removesuffix(_INTO) in texts and name.endswith(_INTO)):
            continue
        taken = texts.get(name, "")
        given = texts.get(f"{name}{_INTO}", "")
        results = given.removeprefix(taken).strip(", ") if given.startswith(taken) else ""
        yield name, taken, results


def _joined(literals: str) -> str:
    """Return the text of adjacent string literals, without its parentheses and quotes."""
    text = "".join(_LITERAL.findall(literals)).strip()
    return text.removeprefix("(").removesuffix(")").replace("`", "")
