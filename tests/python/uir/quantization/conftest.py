"""A fixture for tests that need no compiled model."""

from __future__ import annotations

import pytest

from .networks import ReferenceRunner


@pytest.fixture
def reference_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run models by the reference."""
    for module in ("outcome", "static", "weights"):
        monkeypatch.setattr(f"uir.quantization.{module}.Runner", ReferenceRunner)
