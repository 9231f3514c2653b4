"""An HTML page that steps through a simplification, as `Explorer` steps through passes."""

from __future__ import annotations

import os
from pathlib import Path

from uir_nodes.arith import Explanation, ExplanationStep, StepMethod

from .pass_stack import PassRun

__all__ = ["write_explanation"]


def write_explanation(
    explanation: Explanation, path: str | os.PathLike[str], *, title: str = "Simplification"
) -> None:
    """Write an HTML page that shows an expression after each step of its simplification.

    Parameters
    ----------
    explanation
        The steps.
    path
        The file to write; its folder is created if missing.
    title
        The page's heading.

    Raises
    ------
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> write_explanation(analyzer.explain(expr), "out.html")
    """
    # Imported on use, to keep `import uir` fast.
    from .explorer_page import Recording

    recording = Recording(title)
    before = recording.versions.add(str(explanation.expr))
    for step in explanation.steps:
        shown = recording.begin(PassRun(_reason(step), 0, 0, finished=True), before)
        before = shown.after = recording.versions.add(str(step.result))
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(recording.page(), "utf-8", newline="\n")


def _reason(step: ExplanationStep) -> str:
    reason = step.rule or StepMethod(step.method).name.lower()
    since = ", ".join(map(str, step.facts))
    return f"{step.before} is {step.after}: {reason}" + (f", since {since}" if since else "")
