"""`uir explain refusal` and `uir explain diagnostic`: reasons behind messages, and what to do."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tschema.command_line import nearest
from tschema.diagnostics.explain import explain as text_of_code
from tschema.diagnostics.explain import explanations

from .json_output import add_json, print_json

__all__ = ["add_diagnostic", "add_refusal"]


@dataclass(frozen=True)
class Refusal:
    """An operator that an importer refuses.

    Attributes
    ----------
    importer
        `ONNX` or `PyTorch`.
    operator
        Its name; one of another domain of ONNX has that before it.
    reason
        Why it is refused.
    is_partial
        Whether only some of its calls are refused.
    help
        What to do instead; empty if there is no advice.
    """

    importer: str
    operator: str
    reason: str
    is_partial: bool = False
    help: str = ""


def add_refusal(topics: Any) -> None:
    """Add the topic."""
    parser = topics.add_parser("refusal", help="why importers refuse an operator")
    parser.add_argument("operator", help="`StringSplit` of ONNX, or `aten.rand` of PyTorch")
    add_json(parser)
    parser.set_defaults(run=explain_refusal)


def add_diagnostic(topics: Any) -> None:
    """Add the topic."""
    parser = topics.add_parser("diagnostic", help="an error or a warning about a schema file")
    parser.add_argument("code", help="the code, such as TS012")
    add_json(parser)
    parser.set_defaults(run=explain_diagnostic)


def explain_refusal(options: argparse.Namespace) -> None:
    """Print the reason of each importer that refuses an operator.

    Raises
    ------
    ValueError
        If none refuses an operator of this name.
    """
    from ..frontend.torch.refusals import plain_name

    known = list(refusals())
    name = plain_name(options.operator)
    found = [one for one in known if one.operator == name]
    if not found:
        hint = nearest(name, [one.operator for one in known])
        raise ValueError(f"no importer refuses `{name}` by its name{hint}")
    if options.json:
        print_json({"refusals": [asdict(one) for one in found]})
        return
    for one in found:
        part = "is refused in part" if one.is_partial else "is refused"
        print(f"{one.operator} of {one.importer} {part}: {one.reason}")
        if one.help:
            print(f"  help: {one.help}")


def refusals() -> Iterator[Refusal]:
    """Yield the operators in the tables of the importers."""
    from ..frontend.onnx import refusals as onnx
    from ..frontend.torch import refusals as torch

    for domain, table in onnx.REFUSED.items():
        for name, reason in by_operator(table):
            yield Refusal(
                "ONNX", f"{domain}.{name}" if domain else name, reason, help=onnx.HELP[reason]
            )
    for name, reason in by_operator(torch.REFUSED):
        yield Refusal("PyTorch", name, reason, help=torch.HELP.get(reason, ""))
    for name, reason in torch.PARTLY_REFUSED.items():
        yield Refusal("PyTorch", name, reason, is_partial=True, help=torch.HELP.get(reason, ""))


def by_operator(table: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the operators of a table with their reasons."""
    for reason, names in table.items():
        for name in names.split():
            yield name, reason


def explain_diagnostic(options: argparse.Namespace) -> None:
    """Print the meaning of a code, with a wrong and a right example.

    Raises
    ------
    ValueError
        If there is no such code.
    """
    code = options.code.strip().upper()
    found = explanations().get(code)
    if found is None:
        raise ValueError(f"no code `{options.code}`{nearest(code, explanations())}")
    if options.json:
        print_json({"code": found.code, "title": found.title, "text": text_of_code(code)})
        return
    print(text_of_code(code))
