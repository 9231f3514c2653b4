"""The rows of a tuned file, for any instruction set and version of lowering."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .result import FORMAT
from .space import Trace
from .trace_line import check_trace

__all__ = ["TunedRow", "read_tuned_file"]


_KINDS: Mapping[str, Any] = {"kernel": None, "chain": []}
"""The kinds of rows, each with the default of a file without them: all files have kernels."""


@dataclass(frozen=True)
class TunedRow:
    """A kernel or a chain of a tuned file.

    Attributes
    ----------
    kind
        `kernel` or `chain`.
    kernel
        Its hash.
    name
        The name of the function in the module that was tuned.
    trace
        The choices.
    mistake
        Why the choices cannot be read; empty if they can.
    """

    kind: str
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
        Its chains, and then its kernels.

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
    rows = {kind: _rows(path, kind, value.get(f"{kind}s", none)) for kind, none in _KINDS.items()}
    return [*rows["chain"], *rows["kernel"]]


def _rows(path: Path, kind: str, values: Any) -> list[TunedRow]:
    if not isinstance(values, list):
        raise ValueError(f"`{path}`: `{kind}s` must be an array")
    rows = [_row(path, kind, place, one) for place, one in enumerate(values)]
    hashes = [row.kernel for row in rows]
    twice = next((one for one in hashes if hashes.count(one) > 1), None)
    if twice is not None:
        raise ValueError(f"`{path}`: the {kind} `{twice}` is there twice")
    return rows


def _row(path: Path, kind: str, place: int, value: Any) -> TunedRow:
    if not isinstance(value, Mapping) or not isinstance(value.get(kind), str):
        raise ValueError(f"`{path}`: {kind} {place} must be an object with the text `{kind}`")
    lines = value.get("trace")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        raise ValueError(f"`{path}`: the `trace` of {kind} {place} must be an array of texts")
    name = str(value.get("name", ""))
    try:
        check_trace(lines)
    except ValueError as error:
        return TunedRow(kind, value[kind], name, (), str(error))
    return TunedRow(kind, value[kind], name, tuple(lines))
