"""The notebook of the examples: its cells run, and each value has a page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.docs_site.notebooks import code_cells, run_cell

from ..support.browser import browser
from ..support.project import ROOT
from ..support.readable import check_readable

NOTEBOOK = ROOT / "examples" / "notebook.ipynb"


def test_each_cell_shows_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    values = [run_cell(text, scope) for text in code_cells(NOTEBOOK)]
    pages = [value._repr_html_() for value in values if hasattr(value, "_repr_html_")]
    assert len(pages) == len(values) - 1
    for page, text in zip(
        pages,
        ["softmax", "LowerOps", "tir", "x: float32 (n, 64)", "median of 3", "GFLOP/s", "<svg"],
        strict=True,
    ):
        assert text in page
    assert json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    check_readable("".join(pages), tmp_path)


RUN = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, resources={"metadata": {"path": "."}}).execute()
for cell in notebook.cells:
    for output in cell.get("outputs", []):
        print(output.get("data", {}).get("text/html", ""))
"""


@pytest.mark.deep
def test_jupyter_and_a_browser_show_the_notebook(tmp_path: Path) -> None:
    """`make test-deep` installs nbclient and the kernel."""
    path = f"{ROOT / 'build' / 'notebook'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    html = subprocess.check_output(
        [sys.executable, "-c", RUN, str(NOTEBOOK)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        text=True,
    )
    page = tmp_path / "page.html"
    page.write_text(f"<!DOCTYPE html><meta charset='utf-8'><body>{html}</body>", "utf-8")
    with browser(tmp_path) as window:
        window.open(page)
        assert window.run("return document.querySelectorAll('.uir').length") >= 7
        assert "result" in window.texts("svg.uir-graph .result text")
        assert window.complaints() == []
        colors = []
        for scheme in ("light", "dark"):
            window.prefer(scheme)
            colors.append(
                window.run("return getComputedStyle(document.querySelector('.uir')).color")
            )
        assert colors[0] != colors[1]
        window.run("document.body.dataset.jpThemeLight = 'true'")  # JupyterLab's own theme wins.
        assert (
            window.run("return getComputedStyle(document.querySelector('.uir')).color") == colors[0]
        )


def test_the_notebook_has_no_outputs() -> None:
    """They would be large, and differ from run to run."""
    found = json.loads(NOTEBOOK.read_text())["cells"]
    assert not [one for one in found if one.get("outputs")]
