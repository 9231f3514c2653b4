"""Work of machines with recorded times, and with faults on some of them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import ray

from tests.python.uir.tuning.samples import CONTEXT, FormulaMeasurer
from uir.tuning import Context, Measured, RemoteWork, Settings, Task
from uir.tuning.shares import KernelTime

WRONG = Measured("ok", "faster", 0.01, (1.0,) * 8, (1.0,) * 8)
"""A ratio that its times contradict."""


class RecordedWork(RemoteWork):
    """Measure by a formula.

    Parameters
    ----------
    seconds
        How long a measurement takes.
    faults
        What the machines with these names do instead.
    processors
        The names of the processors of machines with these names.
    """

    def __init__(
        self,
        seconds: float = 0.0,
        faults: Mapping[str, str] | None = None,
        processors: Mapping[str, str] | None = None,
    ) -> None:
        self.seconds, self.faults, self.processors = seconds, faults or {}, processors or {}

    def context(self, settings: Settings) -> Context:
        processor = self.processors.get(_machine(), CONTEXT.processor)
        return replace(CONTEXT, processor=processor, samples=str(settings.samples))

    def profile(self, settings: Settings, module: bytes, kernels: Any) -> dict[str, KernelTime]:
        return {key: KernelTime(1.0 / len(kernels)) for key in kernels}

    def compile(self, settings: Settings, task: Task) -> Measured:
        return Measured("ok", "compiled")

    def measure(self, settings: Settings, task: Task, compiled: Measured) -> Measured:
        fault = self.faults.get(_machine(), "")
        if fault == "hangs":
            time.sleep(3600)
        if fault == "ends":
            os._exit(1)
        if fault == "raises":
            raise OSError("no space is left")
        if fault == "wrong times":
            return WRONG
        if fault == "wrong values":
            return Measured("wrong", "argument 2 has other bits")
        time.sleep(self.seconds)
        return FormulaMeasurer().measure(
            task.kernel, task.trace, task.against, confirms=task.confirms
        )


def _machine() -> str:
    return str(ray.get_runtime_context().get_node_id()) if ray.is_initialized() else ""
