"""The features of this machine's processor, and those that instruction sets need."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from pathlib import Path

__all__ = ["NEEDED", "SHOWN", "features_of", "instruction_sets", "machine_features"]

V3 = ("avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "popcnt")
V4 = (*V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
NEEDED = {"x86-64-v3": V3, "x86-64-v4": V4, "aarch64": ("asimd",), "generic": ()}
"""The features that code for an instruction set uses, by Linux's names (`abm` is `lzcnt`)."""

OTHERS = ("avx_vnni", "avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_int8")
ARM = ("asimd", "asimddp", "i8mm", "bf16", "fphp", "asimdhp", "sve", "sve2")
SHOWN = (*V4, *OTHERS, "amx_bf16", *ARM)
"""The features that are shown: those of instruction sets, and those that `native` adds to them."""

X86 = ("x86_64", "amd64")


def machine_features(path: Path = Path("/proc/cpuinfo")) -> frozenset[str] | None:
    """Return the features of the first processor; None where the system does not list them."""
    try:
        return features_of(path.read_text("utf-8"))
    except OSError:
        return None


def features_of(text: str) -> frozenset[str]:
    """Return the features in a text of the form of Linux's `/proc/cpuinfo`."""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return frozenset(value.split())
    return frozenset()


def instruction_sets(
    found: Iterable[str], machine: str = platform.machine()
) -> dict[str, list[str] | None]:
    """Return the features that the processor lacks for each instruction set.

    Parameters
    ----------
    found
        The features of the processor.
    machine
        The kind of the machine.

    Returns
    -------
    missing
        The missing features; None for another kind of machines.
    """
    kind = "x86" if machine.lower() in X86 else "aarch64"
    known = frozenset(found)
    return {
        name: [one for one in needed if one not in known]
        if name == "generic" or name.startswith(kind)
        else None
        for name, needed in NEEDED.items()
    }
