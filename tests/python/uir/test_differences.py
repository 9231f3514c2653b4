"""`differences.md` says what NumPy, ONNX and uir give; `tests/torch` compares PyTorch."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from ...differences import sides
from ...differences.cases import CASES
from ...differences.page import PAGE, page, results_on_page

MODELS = Path(__file__).resolve().parents[3] / "build" / "onnx-models"
ON_PAGE = results_on_page(PAGE.read_text())
ADVICE = "`python -m tests.differences` writes docs/models/differences.md"


def test_the_page_is_as_the_cases() -> None:
    text = PAGE.read_text()
    assert page(text, ON_PAGE) == text, ADVICE
    assert len({case.input for case in CASES}) == len(CASES) > 50


def test_each_row_has_a_difference() -> None:
    for case in CASES:
        found = {results[case.input] for results in ON_PAGE.values() if case.input in results}
        assert len(found) > 1, case.input


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:Degrees of freedom")
def test_numpy() -> None:
    assert sides.numpy_results(CASES) == ON_PAGE["NumPy"], ADVICE


def test_the_reference_of_onnx() -> None:
    with np.errstate(all="ignore"):
        assert sides.onnx_reference_results(CASES) == ON_PAGE["reference"], ADVICE


def test_compiled_functions() -> None:
    assert sides.relay_results(CASES) == ON_PAGE["relay"], ADVICE


def test_evaluated_functions() -> None:
    found = sides.evaluated_results(CASES)
    assert len(found) > 40
    # `evaluate` computes fused attention otherwise than compiled code.
    otherwise = {name for name in found if found[name] != ON_PAGE["relay"][name]}
    assert otherwise <= {
        "softmax(q @ k + mask) @ v, where the mask is -inf",
        "argmax of no float32",
    }


def test_imported_graphs() -> None:
    assert sides.imported_from_onnx(CASES) == ON_PAGE["from ONNX"], ADVICE


@pytest.mark.deep
def test_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(MODELS)])
    assert sides.onnxruntime_results(CASES) == ON_PAGE["onnxruntime"], ADVICE
