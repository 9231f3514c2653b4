"""One case of the table of differences, and arrays for its operands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Array", "Case", "array", "case", "floats", "given", "image", "ints"]

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False, kw_only=True)
class Case:
    """One input, and the program that each library has for it.

    Attributes
    ----------
    input
        What the page shows; unique.
    operands
        The operands `a`, `b` and `c`.
    numpy, torch, relay
        Expressions of Python over the operands; None where the library has no such operator.
        `torch` is run by PyTorch itself, and imported.
    onnx
        Nodes in the text form of ONNX that compute `y`; they are run by onnxruntime and by the
        reference of the package `onnx`, and imported.
    why
        Why uir does so, as Markdown.
    after
        An expression over the result `y` and the operands, which replaces the result.
    """

    input: str
    operands: tuple[Array, ...]
    numpy: str | None = None
    torch: str | None = None
    onnx: str | None = None
    relay: str | None = None
    why: str
    after: str | None = None


class case:
    """Describes a case in three steps: its input, its programs, and the reason."""

    def __init__(self, input: str, *operands: Array) -> None:
        self._input, self._operands = input, operands

    def runs(
        self,
        numpy: str | None,
        torch: str | None = None,
        onnx: str | None = None,
        relay: str | None = None,
        after: str | None = None,
    ) -> case:
        """Take the program of each library, in the order of the page's columns."""
        self._programs = {"numpy": numpy, "torch": torch, "onnx": onnx, "relay": relay}
        self._after = after
        return self

    def because(self, why: str) -> Case:
        """Return the case."""
        return Case(
            input=self._input, operands=self._operands, why=why, after=self._after, **self._programs
        )


def array(dtype: str, *values: Any) -> Array:
    """Return a vector."""
    return np.array(values, dtype)


def floats(*values: float) -> Array:
    return array("float32", *values)


def ints(*values: int) -> Array:
    return array("int32", *values)


def image(*values: float) -> Array:
    """Return one channel of one picture with one row."""
    return floats(*values).reshape(1, 1, -1)


def given(values: str, name: str = "k") -> str:
    """Return the node of ONNX that gives a vector of integers a name."""
    return f"{name} = Constant<value_ints: ints = [{values}]>() "
