"""The models that come with the package `onnx`: nine architectures, with their expected outputs.

Their weights are constant fills, so that the files are small; the graphs are those of the trained
models.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

from uir.frontend.onnx import Backend

FOLDER = Path(onnx.__file__).parent / "backend" / "test" / "data" / "light"
MODELS = sorted(path.stem.removeprefix("light_") for path in FOLDER.glob("*.onnx"))

# Those of every run of the tests.
QUICK = {"squeezenet", "shufflenet"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.deep) for name in MODELS]
)
def test_a_model_gives_the_expected_output(name: str) -> None:
    path = FOLDER / f"light_{name}.onnx"
    x = np.arange(3 * 224 * 224, dtype=np.float32).reshape(1, 3, 224, 224) / (3 * 224 * 224)
    expected = onnx.TensorProto.FromString((FOLDER / f"light_{name}_output_0.pb").read_bytes())
    (found,) = Backend.prepare(str(path)).run([x])
    np.testing.assert_allclose(found, numpy_helper.to_array(expected), rtol=2e-3, atol=1e-7)


def test_all_architectures_are_there() -> None:
    assert len(MODELS) == 9
