"""The output of `--json`: the result of a command as one object of JSON, in one line.

Names of fields are the same in all commands: numbers of things end with `_count`, sizes with
`_bytes`, times with `_seconds`. An unknown value is null.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uir_nodes.ir import IntImm, TensorType, TupleType

from .programs import write_text

__all__ = ["add_json", "json_finite", "json_size", "json_type", "print_json", "written"]


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the argument."""
    parser.add_argument("--json", action="store_true", help="print the result as a line of JSON")


def print_json(value: Mapping[str, object]) -> None:
    """Print an object as one line, at once: a reader may wait for it."""
    print(json.dumps(value, allow_nan=False), flush=True)


def written(path: Path | None, text: str) -> dict[str, str | None]:
    """Write a module to a file; without one, the fields of the result have its text."""
    if path is None:
        return {"output": None, "module": text}
    write_text(path, text)
    return {"output": str(path), "module": None}


def json_size(size: object) -> int | str:
    """Return a number of elements or bytes; one that depends on symbolic dimensions is a text."""
    if isinstance(size, int):
        return size
    return int(size.value) if isinstance(size, IntImm) else str(size)


def json_type(found: object) -> dict[str, Any]:
    """Return the fields of a type: those of a tensor, of each part of a tuple, or a text."""
    if isinstance(found, TensorType):
        return {"dtype": str(found.dtype), "shape": [json_size(dim) for dim in found.shape]}
    if isinstance(found, TupleType):
        return {"fields": [json_type(one) for one in found.fields]}
    return {"type": str(found)}


def json_finite(values: Sequence[Any]) -> list[Any]:
    """Return elements of an array; JSON has no NaN and no infinity, which become null."""
    return [one if math.isfinite(one) else None for one in values]
