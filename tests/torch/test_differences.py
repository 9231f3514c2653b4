"""`docs/models/differences.md` says what PyTorch gives, by itself and imported."""

from __future__ import annotations

from ..differences import sides
from ..differences.cases import CASES
from ..differences.page import PAGE, results_on_page

ON_PAGE = results_on_page(PAGE.read_text())
ADVICE = "`python -m tests.differences` writes docs/models/differences.md"


def test_pytorch() -> None:
    assert sides.torch_results(CASES) == ON_PAGE["PyTorch"], ADVICE


def test_imported_programs() -> None:
    assert sides.imported_from_torch(CASES) == ON_PAGE["from PyTorch"], ADVICE
