"""Writes the part of `docs/models/torch.md` about the operators of core ATen.

Run it from the repository's folder, with PyTorch on the path:
`PYTHONPATH=build/torch-2.15.0 .venv/bin/python -m tests.torch.core_operators`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import torch

from uir.frontend.refusals import reason_of, refused_rows
from uir.frontend.torch.conversion import ELEMENT
from uir.frontend.torch.importer import TAKEN_APART
from uir.frontend.torch.operators import CONVERTERS
from uir.frontend.torch.operators.complex_numbers import ON_COMPLEX
from uir.frontend.torch.refusals import PARTLY_REFUSED, REFUSED, plain_name

__all__ = ["PAGE", "core_operators", "page", "unknown_operators"]

PAGE = Path(__file__).parents[2] / "docs" / "models" / "torch.md"
HEADING = "## Operators of core ATen\n"

TEXT = """
`python -m tests.torch.core_operators` writes this part of the page; `make test-torch` compares it.
The names are those of ATen. PyTorch decomposes operators beyond core ATen into these.

Imported:

{imported}

Refused:

{refused}

Refused in part:

| operator | refused case |
| --- | --- |
{partly}
"""


def core_operators() -> list[str]:
    """Return the names of the operators that PyTorch counts as core ATen."""
    found = []
    for name in torch._C._dispatch_get_all_op_names():
        namespace, _, operator = name.partition("::")
        packet, _, overload = operator.partition(".")
        if namespace == "aten":
            found.append(getattr(getattr(torch.ops.aten, packet), overload or "default"))
    return sorted(str(one) for one in found if torch.Tag.core in one.tags)


def is_imported(operator: str) -> bool:
    name = operator.removeprefix("aten.")
    # Sizes and elements are numbers without a converter.
    is_number = name.startswith("sym_") or operator == ELEMENT
    is_apart = plain_name(operator) in TAKEN_APART
    return operator in CONVERTERS or operator in ON_COMPLEX or is_number or is_apart


def unknown_operators() -> list[str]:
    """Return the operators of core ATen that are neither imported nor refused by name."""
    return [one for one in core_operators() if not is_imported(one) and not is_refused(one)]


def is_refused(operator: str) -> bool:
    return reason_of(plain_name(operator), REFUSED) is not None


def page(old: str) -> str:
    """Return the text of the page, whose part about core ATen is made anew."""
    partly = [f"| `{name}` | {what} |" for name, what in sorted(PARTLY_REFUSED.items())]
    imported = (one for one in core_operators() if is_imported(one))
    text = TEXT.format(
        imported=lines(imported),
        refused="\n".join(refused_rows({"": REFUSED})),
        partly="\n".join(partly),
    )
    return old.partition(HEADING)[0] + HEADING + text


def lines(operators: Iterable[str], width: int = 99) -> str:
    """Return names with commas, in lines of a width."""
    text, current = [], ""
    for word in (f"`{plain_name(one)}`" for one in operators):
        longer = f"{current}, {word}" if current else word
        if len(longer) > width:
            text.append(f"{current},")
            longer = word
        current = longer
    return "\n".join([*text, current])


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
