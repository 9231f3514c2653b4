"""Profiles and compiled modules in notebooks."""

from __future__ import annotations

import re
from math import isnan

from tvm_ffi import Module

from uir_nodes.runtime import KernelProfile, Profile

from .html import Bar, fragment, rows_table
from .named_function import tensor_infos
from .units import time_text

__all__ = ["install_html"]

_DESCRIBED = re.compile(r"\bENTRY __tvm_ffi__metadata_(\w+)\(")
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
    names = dict.fromkeys(_DESCRIBED.findall(module.inspect_source()))
    rows = [(name, *_signature(module, name)) for name in names]
    return fragment(rows_table("compiled module", ["function", "parameters", "results"], rows))


def _signature(module: Module, name: str) -> tuple[str, str]:
    """Return the parameters and results of a function; empty for one of another machine."""
    metadata = module.get_function_metadata(name)
    if metadata is None:
        return "", ""
    inputs, outputs = (
        ", ".join(str(info).replace("`", "") for info in tensor_infos(metadata[side]))
        for side in ("inputs", "outputs")
    )
    return inputs, outputs
