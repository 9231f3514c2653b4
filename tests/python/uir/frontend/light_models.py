"""The models that come with the package `onnx`: nine architectures, with their expected outputs.

Their weights are constant fills, so that the files are small; the graphs are those of the trained
models.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
MODELS = sorted(path.stem.removeprefix("light_") for path in FOLDER.glob("*.onnx"))

# Those of every run of the tests.
QUICK = {"squeezenet"}


def path_of(name: str) -> Path:
    """Return the file of a model."""
    return FOLDER / f"light_{name}.onnx"


def expected(name: str) -> np.ndarray:
    """Return the output of a model for the image."""
    data = (FOLDER / f"light_{name}_output_0.pb").read_bytes()
    return numpy_helper.to_array(onnx.TensorProto.FromString(data))


def image() -> np.ndarray:
    """Return the input of all models."""
    count = 3 * 224 * 224
    return (np.arange(count, dtype=np.float32) / count).reshape(1, 3, 224, 224)
