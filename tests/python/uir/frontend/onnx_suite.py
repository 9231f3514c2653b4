"""ONNX's own tests of backends: its cases, and what comes of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test import loader
from onnx.backend.test.case.test_case import TestCase as Case

from uir.frontend.onnx import Backend, Unsupported, UnsupportedModelError

Arrays = Sequence[np.ndarray]

SUITES = ("node", "simple", "pytorch-converted", "pytorch-operator")

# Two units in the last place of narrow floats: the tests compute in them, ours in float32.
TWO_ULP = {"float16": 2**-9, "bfloat16": 2**-6}


@cache
def cases(suite: str) -> list[Case]:
    """Return the cases of a suite, in the order of their names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sorted(loader.load_model_tests(kind=suite), key=lambda case: case.name)


def model_of(case: Case) -> onnx.ModelProto:
    """Return the model of a case."""
    return onnx.load(Path(case.model_dir) / "model.onnx") if case.model is None else case.model


def data_of(case: Case) -> list[tuple[Any, Any]]:
    """Return pairs of inputs and expected outputs."""
    if case.data_sets is not None:
        return list(case.data_sets)
    folders = sorted(Path(case.model_dir).glob("test_data_set_*"))
    return [(stored(folder, "input"), stored(folder, "output")) for folder in folders]


def stored(folder: Path, kind: str) -> list[onnx.TensorProto]:
    """Return the tensors in the files of a folder."""
    paths = folder.glob(f"{kind}_*.pb")
    ordered = sorted(paths, key=lambda path: int(path.stem.rpartition("_")[2]))
    return [onnx.TensorProto.FromString(path.read_bytes()) for path in ordered]


def as_array(value: Any) -> Any:
    return numpy_helper.to_array(value) if isinstance(value, onnx.TensorProto) else value


def run(case: Case) -> list[Unsupported]:
    """Run a case; return what refuses it, which is nothing if it passes.

    Raises
    ------
    AssertionError
        If a result differs.
    """
    try:
        prepared = Backend.prepare(model_of(case))
        for inputs, outputs in data_of(case):
            found = prepared.run([as_array(one) for one in inputs])
            compare(case, found, [as_array(one) for one in outputs])
    except UnsupportedModelError as error:
        return error.nodes
    return []


def compare(case: Case, found: Sequence[Any], expected: Sequence[Any]) -> None:
    """Check the data types, the shapes and the elements of results, which may be sequences."""
    for result, wanted in zip(found, expected, strict=True):
        if isinstance(wanted, list):
            compare(case, result, wanted)
            continue
        assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
        if case.name.startswith("test_bernoulli"):
            # The numbers are random: those of a case are one draw of many.
            assert set(np.unique(result)) <= {0, 1}
            continue
        rtol = max(case.rtol, TWO_ULP.get(wanted.dtype.name, 0))
        # Parts of transforms are sums whose terms may cancel.
        scale = np.abs(wanted).max() if case.name.startswith("test_dft") else 1
        np.testing.assert_allclose(result, wanted, rtol=rtol, atol=case.atol * max(scale, 1))


def outcome(case: Case) -> list[Unsupported] | str:
    """Return what refuses a case, or a line about its failure."""
    try:
        return run(case)
    except Exception as error:
        return f"{case.name}: {type(error).__name__}: {error}"
