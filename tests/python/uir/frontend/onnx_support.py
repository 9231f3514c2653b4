"""Writes `docs/models/onnx-support.md`: what comes of ONNX's own tests.

Run it from the repository's folder: `python -m tests.python.uir.frontend.onnx_support`.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import onnx
from onnx.backend.test.case.test_case import TestCase as Case

from uir.frontend.onnx import Unsupported
from uir.frontend.onnx.operators import is_own

from .onnx_suite import SUITES, cases, model_of, outcome

PAGE = Path(__file__).parents[4] / "docs" / "models" / "onnx-support.md"

TEXT = """# ONNX's tests

See which operators of ONNX work: the results of [uir.frontend.onnx](onnx.md) in the tests of
backends of the package `onnx` {version}. `python -m tests.python.uir.frontend.onnx_support` writes
this page, and `make test-deep` compares it. The numbers of `Bernoulli` are random: its tests only
say that they are 0 or 1, of the right type and shape.

{suites}

## Operators

Operators with a test of their own that passes:

{operators}

## Refused operators and types

The refused tests use these, by the number of tests:

{refused}
"""

Outcomes = dict[str, list[tuple[Case, "list[Unsupported] | str"]]]


def outcomes() -> Outcomes:
    """Run all suites; compilers run in processes of their own, so that threads are enough."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return {
            suite: list(zip(cases(suite), pool.map(outcome, cases(suite)), strict=True))
            for suite in SUITES
        }


def failures(found: Outcomes) -> list[str]:
    """Return the lines about cases that neither pass nor are refused."""
    return [result for pairs in found.values() for _, result in pairs if isinstance(result, str)]


def counts(found: Outcomes) -> dict[str, tuple[int, int, int]]:
    """Return how many cases of each suite pass, are refused and fail."""
    return {
        suite: (
            sum(result == [] for _, result in pairs),
            sum(isinstance(result, list) and bool(result) for _, result in pairs),
            sum(isinstance(result, str) for _, result in pairs),
        )
        for suite, pairs in found.items()
    }


def page(found: Outcomes) -> str:
    """Return the text of the page."""
    rows = [[suite, *map(str, numbers)] for suite, numbers in counts(found).items()]
    every = [pair for pairs in found.values() for pair in pairs]
    reasons = Counter(reason for _, result in every for reason in set(reasons_of(result)))
    refused = [[text, str(count)] for text, count in sorted(reasons.items(), key=most_first)]
    return TEXT.format(
        version=onnx.__version__,
        suites=table(["suite", "passed", "refused by name", "failed"], rows),
        operators=lines(sorted(set(passing(found["node"])))),
        refused=table(["refused", "tests"], refused),
    )


def most_first(row: tuple[str, int]) -> tuple[int, str]:
    return -row[1], row[0]


def passing(pairs: Iterable[tuple[Case, list[Unsupported] | str]]) -> Iterator[str]:
    """Yield the operators of graphs of one node that pass."""
    for case, result in pairs:
        nodes = model_of(case).graph.node
        if result == [] and len(nodes) == 1:
            domain = "" if is_own(nodes[0].domain) else f" of `{nodes[0].domain}`"
            yield f"`{nodes[0].op_type}`{domain}"


def reasons_of(result: list[Unsupported] | str) -> Iterator[str]:
    """Yield what refuses a case, without what only this case has."""
    for node in result if isinstance(result, list) else []:
        reason = node.reason.partition(", in the definition of")[0]
        if reason.startswith("no such operator"):
            domain = re.search(r"of the domain (`\S+`)", reason)
            yield f"`{node.operator}`" + (f" of {domain[1]}" if domain else "")
        elif reason.startswith(("data type", "type")):
            yield reason
        else:
            yield f"`{node.operator}`: {reason.partition(', got')[0]}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of Markdown."""
    every = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in every)


def lines(words: Iterable[str], width: int = 99) -> str:
    """Return words with commas, in lines of a width."""
    text, current = [], ""
    for word in words:
        longer = f"{current}, {word}" if current else word
        if len(longer) > width:
            text.append(f"{current},")
            longer = word
        current = longer
    return "\n".join([*text, current])


if __name__ == "__main__":
    found = outcomes()
    print(*failures(found), counts(found), sep="\n")
    PAGE.write_text(page(found))
