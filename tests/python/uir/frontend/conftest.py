"""The folder of onnxruntime, and a fixture for tests that compare with it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

# Where `make test-deep` installs what `onnx_packages.txt` lists.
FOLDER = Path(__file__).parents[4] / "build" / "onnx-models"


@pytest.fixture(scope="session")
def onnxruntime() -> Any:
    """Return the package from the folder, which comes last: the others there are not for use."""
    sys.path.append(str(FOLDER))
    try:
        import onnxruntime
    finally:
        sys.path.remove(str(FOLDER))
    return onnxruntime
