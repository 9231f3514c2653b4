"""A compiled network: the probabilities of digits, and the most probable one of each image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tvm_ffi

_library = tvm_ffi.load_module(str(Path(__file__).with_name("libdigits.so")))
_classify = tvm_ffi.get_global_func("digits.classify")

__all__ = ["Guess", "classify", "predict"]


@tvm_ffi.register_object("digits.Guess")
class Guess(tvm_ffi.Object):
    """A digit and how probable it is."""

    digit: int
    probability: float

    def __init__(self, digit: int, probability: float) -> None:
        self.__ffi_init__(digit, probability)


def predict(pixels: Any) -> np.ndarray:
    """Return the probabilities of each digit for images of 8 x 8 pixels, a row each."""
    return np.from_dlpack(_library.predict(pixels))


def classify(pixels: Any) -> list[Guess]:
    """Return the most probable digit of each image."""
    return list(_classify(pixels))
