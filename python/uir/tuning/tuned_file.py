"""The rows of a file of tuned kernels, for any instruction set and version of lowering."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .result import FORMAT
from .space import Trace
from .trace_line import parse_line

__all__ = ["TunedRow", "read_tuned_file"]


@dataclass(frozen=True)
class TunedRow:
    """A kernel of a tuned file.

    Attributes
    ----------
    kernel
        Its hash.
    name
        The name of the function in the module that was tuned.
    trace
        The choices.
    mistake
        Why the choices cannot be read; empty if they can.
    """

    kernel: str
    name: str
    trace: Trace
    mistake: str = ""


def read_tuned_file(path: Path) -> list[TunedRow]:
    """Read a file that `Result.save` has written, for this machine or another one.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    rows
        Its kernels.

    Raises
    ------
    ValueError
        If the file is not one of tuned kernels, or has another format.
    OSError
        If it cannot be read.
    """
    try:
        value = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"`{path}` is not a file of JSON: {error}") from error
    if not isinstance(value, dict) or "uir_tuned" not in value:
        raise ValueError(f"`{path}` is not a file of tuned kernels")
    if value["uir_tuned"] != FORMAT:
        raise ValueError(
            f"`{path}` has the format {value['uir_tuned']!r}, and this release reads {FORMAT}"
        )
    kernels = value.get("kernels")
    if not isinstance(kernels, list):
        raise ValueError(f"`{path}`: `kernels` must be an array")
    rows = [_row(path, place, one) for place, one in enumerate(kernels)]
    hashes = [row.kernel for row in rows]
    twice = next((one for one in hashes if hashes.count(one) > 1), None)
    if twice is not None:
        raise ValueError(f"`{path}`: the kernel `{twice}` is there twice")
    return rows


def _row(path: Path, place: int, value: Any) -> TunedRow:
    if not isinstance(value, Mapping) or not isinstance(value.get("kernel"), str):
        raise ValueError(f"`{path}`: kernel {place} must be an object with the text `kernel`")
    lines = value.get("trace")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError(f"`{path}`: the `trace` of kernel {place} must be an array of texts")
    name = str(value.get("name", ""))
    try:
        for line in lines:
            parse_line(line)
    except ValueError as error:
        return TunedRow(value["kernel"], name, (), str(error))
    return TunedRow(value["kernel"], name, tuple(lines))
