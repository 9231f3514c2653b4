"""Measures models in processes of their own, with limits of time and memory."""

from __future__ import annotations

import json
import multiprocessing
import os
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import torch

from .case import Case
from .measurement import measured
from .records import Record

__all__ = ["SECONDS", "in_a_process"]

SECONDS = 900
"""How much processor time a process may use by default, and each compiler that it starts."""
BYTES = 8 << 30
"""How much memory a process may have."""


def in_a_process(
    make: Callable[[str], Case], name: str, until: str, seconds: int = SECONDS
) -> Record:
    """Return the record of a model that a forked process measures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "record"
        context = multiprocessing.get_context("fork")
        process = context.Process(target=write_record, args=(make, name, until, seconds, path))
        process.start()
        process.join()
        if path.exists():
            return dict(json.loads(path.read_text()))
    return {"state": "stopped", "error": f"the process ended with {process.exitcode}"}


def write_record(
    make: Callable[[str], Case], name: str, until: str, seconds: int, path: Path
) -> None:
    """Measure a model and write its record, within the limits."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))
    torch.set_num_threads(1)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.dup2(null, sys.stderr.fileno())
    record = measured(make, name, until)
    path.write_text(json.dumps(record))
