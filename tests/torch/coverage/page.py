"""The page `docs/models/coverage.md`, from records of models."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .records import Record

__all__ = ["PAGE", "page"]

PAGE = Path(__file__).parents[3] / "docs" / "models" / "coverage.md"

TEXT = """# Coverage of PyTorch's models

The models of torchvision, timm and transformers that `from_exported_program` takes, out of all that
these libraries list. `make coverage` writes this page; it runs the models that it has no record of,
and continues where it stopped.

- torchvision: each builder, except those of quantized models, for the size of its images.
- timm: one small model of each module of `timm.models`.
- transformers: the base class of each configuration, shrunk to two narrow layers or one of each
  kind. Text and vision are models that take only sentences or only images. A model of sentences
  and images or sound has its sentences alone where it refuses both.

Weights and inputs are random. `torch.export` captures each model for any batch, and for any length
of sentences; transformers' own exporter calls it. uir imports and compiles the program, and its
results are compared with eager execution at two sizes: each element may differ by a thousandth of
the greatest one. A program that PyTorch exports for one size is compared at that size.

{tried}

| models | listed | run | exported | imported | equal | wrong | share of exported |
|---|---|---|---|---|---|---|---|
{summary}

*Run* leaves out models that do not take the inputs that the command makes. *Imported* counts
programs without a refusal; *equal* counts those that were compiled and agreed with eager execution
as well. The last column is the share of equal models among those that were exported and compiled or
refused; models that were only imported are not in it, nor those whose results are not determined:
with random weights, `topk` may choose between equal scores.

{times}{refusals}## Models

{models}
"""

REFUSALS = """## Refusals

How many models each reason stops; a model may have several.

| models | operator | reason |
|---|---|---|
{reasons}

"""

# The states of models that PyTorch exported, and of those that uir imported.
IMPORTED = ("imported", "undetermined", "not compiled", "failed", "wrong", "equal")
EXPORTED = ("refused", "internal error", "not imported", *IMPORTED)
# The states in the lists of models, with their titles.
TITLES = {
    "equal": "Equal",
    "wrong": "Wrong",
    "imported": "Imported, not compiled yet",
    "not compiled": "Not compiled",
    "failed": "Failed in a call",
    "internal error": "Failed in the importer",
    "not imported": "Failed at its import",
    "refused": "Refused",
    "stopped": "Stopped at a limit of time or memory",
    "undetermined": "Not compared: `topk` chooses any one of equal scores",
    "not exported": "Not exported by PyTorch",
    "not made": "Not run: other inputs or other configurations are needed",
}


class Group(NamedTuple):
    """Models that one row of the summary counts."""

    title: str
    listed: int
    records: Sequence[Record]

    def count(self, *states: str) -> int:
        """Return how many models have one of these states."""
        return sum(record["state"] in states for record in self.records)

    def row(self) -> str:
        """Return the row."""
        run = len(self.records) - self.count("not made")
        exported, equal = self.count(*EXPORTED), self.count("equal")
        decided = exported - self.count("imported", "undetermined")
        share = f"{100 * equal / decided:.0f} %" if decided else ""
        imported, wrong = self.count(*IMPORTED), self.count("wrong")
        numbers = (self.listed, run, exported, imported, equal, wrong, share)
        return f"| {self.title} | {' | '.join(map(str, numbers))} |"


def page(
    records: Mapping[tuple[str, str], Record], listed: Mapping[str, int], versions: str
) -> str:
    """Return the text of the page.

    Parameters
    ----------
    records
        The records by suites and names.
    listed
        How many models each suite lists.
    versions
        A sentence about the versions of the libraries.
    """
    groups, rows = groups_of(records, listed), reasons(records.values())
    tried = f"{len(records)} of the {sum(listed.values())} models have been tried so far."
    return TEXT.format(
        tried=wrapped(f"{tried} {versions}"),
        summary="\n".join(group.row() for group in groups),
        times=times(records.values()),
        refusals=REFUSALS.format(reasons="\n".join(rows)) if rows else "",
        models="\n\n".join(text for suite in listed for text in lists(suite, records)),
    )


def groups_of(records: Mapping[tuple[str, str], Record], listed: Mapping[str, int]) -> list[Group]:
    """Return the rows of the summary; transformers has one for each kind of model."""
    groups = []
    for suite, count in listed.items():
        found = [record for (one, _), record in records.items() if one == suite]
        groups.append(Group(suite, count, found))
        kinds = Counter(record["kind"] for record in found if "kind" in record)
        if len(kinds) > 1:
            for kind, of_kind in sorted(kinds.items()):
                alike = [record for record in found if record.get("kind") == kind]
                groups.append(Group(f"{suite}: {kind}", of_kind, alike))
    return groups


def times(records: Iterable[Record]) -> str:
    """Return a paragraph about times and shares of nodes, if there are any."""
    found = list(records)
    ratios = [eager / ours for one in found if (pair := one.get("times")) for eager, ours in [pair]]
    shares = [one["share"] for one in found if "share" in one and one["share"][1]]
    text = []
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        text.append(
            f"Eager execution takes {mean:.2f} times as long as uir: the geometric mean over "
            f"{len(ratios)} models on one thread of a busy machine."
        )
    if shares:
        whole = sum(ours == total for ours, total in shares)
        ours, total = (sum(column) for column in zip(*shares, strict=True))
        text.append(
            f"Under `torch.compile`, uir takes {100 * ours / total:.1f} % of the nodes of "
            f"{len(shares)} models, and all nodes of {whole} of them."
        )
    return wrapped(" ".join(text)) + "\n\n" if text else ""


def wrapped(text: str, width: int = 100) -> str:
    """Return words in lines of a width."""
    lines, current = [], ""
    for word in text.split():
        longer = f"{current} {word}".strip()
        if len(longer) > width:
            lines.append(current)
            longer = word
        current = longer
    return "\n".join([*lines, current])


def reasons(records: Iterable[Record]) -> list[str]:
    """Return the rows of refusals, the most frequent first."""
    counts = Counter(
        (operator, reason.replace("|", "\\|"))
        for record in records
        if record["state"] == "refused"
        for operator, reason in record["reasons"]
    )
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return [f"| {count} | `{operator}` | {reason} |" for (operator, reason), count in ordered]


def lists(suite: str, records: Mapping[tuple[str, str], Record]) -> list[str]:
    """Return the names of models by their states, below a heading, if there are any."""
    texts = [f"### {suite}"]
    for state, title in TITLES.items():
        names = [name for (one, name), record in records.items() if one == suite]
        alike = sorted(name for name in names if records[suite, name]["state"] == state)
        if alike:
            texts.append(wrapped(f"{title}: " + ", ".join(f"`{name}`" for name in alike) + "."))
    return texts if len(texts) > 1 else []
