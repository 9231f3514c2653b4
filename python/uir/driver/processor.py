"""Facts about the processors of this machine, from the system."""

from __future__ import annotations

import os
import platform
from pathlib import Path

__all__ = ["core_count", "processor_field", "processor_name"]


def processor_field(name: str) -> str:
    """Return the first value of a field of Linux's `/proc/cpuinfo`; empty elsewhere."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    pairs = (line.partition(":") for line in lines)
    return next((value.strip() for found, _, value in pairs if found.strip() == name), "")


def processor_name() -> str:
    """Return the name of the processor, or else of its architecture."""
    return processor_field("model name") or platform.processor() or platform.machine()


def core_count() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
