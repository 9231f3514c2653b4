"""The HTML page of `Explorer`: its recording and the files of `page/`, in one file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TypeVar

from uir_nodes.ir import IRModule

from .operator_lines import OperatorLines
from .pass_stack import PassRun
from .versions import Versions

__all__ = ["PassStep", "Recording"]

Entry = TypeVar("Entry")

SCRIPTS = (
    "store",
    "words",
    "highlight",
    "rows",
    "search",
    "operators",
    "viewport",
    "sidebar",
    "app",
    "keys",
)


@dataclass
class PassStep:
    """
    One run of a pass, with the module before and after it.

    Attributes
    ----------
    run
        The pass, its depth and its time.
    before
        Version number of its input.
    after
        Version number of its result; None if it failed.
    error
        The error, if it failed.
    """

    run: PassRun
    before: int
    after: int | None = None
    error: str | None = None


@dataclass
class Recording:
    """
    The data of a page.

    Attributes
    ----------
    title
        The page's heading.
    versions
        The texts of the module.
    steps
        The runs of passes, in order of their start.
    schedules
        What recipes have chosen, a line each, by version.
    code
        The lines of the code of lowered versions.
    operators
        The operators of the model.
    places
        The lines that come from each operator, by version.
    """

    title: str
    versions: Versions = field(default_factory=Versions)
    steps: list[PassStep] = field(default_factory=list)
    schedules: dict[int, list[str]] = field(default_factory=dict)
    code: dict[int, list[str]] = field(default_factory=dict)
    operators: OperatorLines = field(default_factory=OperatorLines)
    places: dict[int, list[list[int]]] = field(default_factory=dict)

    def begin(self, run: PassRun, before: int) -> PassStep:
        """Add a run of a pass at its start.

        Parameters
        ----------
        run
            The run.
        before
            Version number of its input.

        Returns
        -------
        PassStep
            The new step.
        """
        self.steps.append(PassStep(run, before))
        return self.steps[-1]

    def add_code(self, version: int, text: str | None) -> None:
        """Keep the code of a version.

        Parameters
        ----------
        version
            The version's number.
        text
            The code; None if the version has none.
        """
        if text is not None:
            self.code[version] = text.rstrip("\n").split("\n")

    def add_places(self, version: int, module: IRModule) -> None:
        """Find the lines of a version that come from each operator.

        Parameters
        ----------
        version
            The version's number.
        module
            The module, whose script is the text of the version.
        """
        self.places[version] = self.operators.of(module)

    def page(self) -> str:
        """Return the page as self-contained HTML; equal recordings give equal text."""
        scripts = "\n".join(_part(f"{name}.js") for name in SCRIPTS)
        parts = {
            "style": _part("style.css"),
            "data": _json_in_html(self.data()),
            "script": f'"use strict";\n(() => {{\n{scripts}}})();\n',
        }
        page = _part("page.html")
        for name, text in parts.items():
            head, tail = page.split(f"<!-- {name} -->")
            page = head + text + tail
        return page

    def data(self) -> dict[str, object]:
        """Return the data of the page's scripts as JSON values."""
        return {
            "title": self.title,
            "lines": self.versions.lines,
            "versions": self.versions.encoded(),
            "schedules": _changes(self.schedules),
            "operators": self.operators.names,
            "places": _changes(self.places),
            "code": self.code,
            "passes": [self._step_data(step) for step in self.steps],
        }

    def _step_data(self, step: PassStep) -> dict[str, object]:
        changed = step.after is not None and step.after != step.before
        hunks = self.versions.hunks(step.before, step.after) if step.after is not None else []
        return {
            "name": step.run.name,
            "level": step.run.opt_level,
            "depth": step.run.depth,
            "time": step.run.nanoseconds,
            "before": step.before,
            "after": step.after,
            "changed": changed,
            "added": sum(len(hunk.added) for hunk in hunks),
            "removed": sum(hunk.removed for hunk in hunks),
            "error": step.error,
        }


def _changes(by_version: Mapping[int, list[Entry]]) -> dict[int, list[Entry]]:
    """Return facts by version, without those that equal the ones before."""
    changed: dict[int, list[Entry]] = {}
    last: list[Entry] = []
    for version, facts in sorted(by_version.items()):
        if facts != last:
            last = changed[version] = facts
    return changed


def _part(name: str) -> str:
    return (files("uir.transform.instrument") / "page" / name).read_text("utf-8")


def _json_in_html(value: object) -> str:
    """Return JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
