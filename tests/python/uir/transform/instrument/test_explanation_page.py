"""The page of an explanation has the expression after each step, and the reasons as names."""

from __future__ import annotations

from pathlib import Path

from uir import arith, tir
from uir.transform import write_explanation

from .test_explorer_record import data_of, versions_of


def test_steps_are_shown_as_passes_are(tmp_path: Path) -> None:
    i, n = tir.Var("i"), tir.SizeVar("n")
    analyzer = arith.Analyzer()
    with analyzer.constraint_scope(i < n):
        explanation = analyzer.explain(tir.all(i * 4 < n * 4, i + 0 < 5))
    page = tmp_path / "pages" / "sum.html"
    write_explanation(explanation, page, title="A sum")
    data = data_of(page)
    texts = [str(explanation.expr), *(str(step.result) for step in explanation.steps)]
    assert versions_of(data) == texts
    assert data["title"] == "A sum"
    names = [step["name"] for step in data["passes"]]
    assert len(names) == len(explanation.steps)
    assert any("since i < n" in name for name in names), names
    assert all(step["changed"] for step in data["passes"])
