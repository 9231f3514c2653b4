"""`uir explain schedule`: the recipe of each loop nest of a program."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tschema.command_line import nearest
from uir_nodes.ir import IRModule
from uir_nodes.target import Target
from uir_nodes.tir import PrimFunc
from uir_nodes.transform import Pass, PassInfo

from .. import script
from ..driver import default_pipeline
from ..schedule import NestSchedule, explain_function
from ..transform import Instrument, Sequential
from .json_output import add_json, print_json
from .passes import add_passes, chosen_passes, load_packages, pass_context
from .programs import FILES, add_program, read_program

__all__ = ["add_schedule"]

FIRST, LAST = "FuseElementwise", "ScheduleFallback"
"""The passes whose results have the notes of kinds, and all choices."""


def add_schedule(topics: Any) -> None:
    """Add the command."""
    parser = topics.add_parser("schedule", help="the recipes of the loops of a program")
    parser.add_argument("program", type=Path, help=FILES)
    parser.add_argument("--kernel", metavar="NAME", help="one function, with its loops")
    parser.add_argument(
        "--arch", help="the processor, such as x86-64-v3; by default that of this machine"
    )
    add_json(parser)
    add_passes(parser)
    add_program(parser)
    parser.set_defaults(run=run, has_random_inputs=False)


class Modules(Instrument):
    """Keeps the results of passes by their names."""

    def __init__(self) -> None:
        super().__init__()
        self.after: dict[str, IRModule] = {}

    def run_after_pass(self, module: IRModule, info: PassInfo) -> None:
        """Keep the result of a pass."""
        self.after[str(info.name)] = module


def run(options: argparse.Namespace) -> None:
    """Print the recipes of loop nests."""
    load_packages(options.load)
    target = Target("c", options.arch or "native")
    given = chosen_passes(options, target)
    passes = until_scheduled(default_pipeline(target) if given is None else given)
    modules = Modules()
    with pass_context(options, passes, [modules]):
        Sequential(passes, name="schedule")(read_program(options.program, options))
    before, after = (functions(modules.after[name]) for name in (FIRST, LAST))
    found = {name: explain_function(before[name], after[name]) for name in after if name in before}
    found = {name: nests for name, nests in found.items() if nests}
    if options.kernel is not None:
        found = {options.kernel: chosen(options.kernel, found)}
    if options.json:
        nests_of = {name: [asdict(one) for one in nests] for name, nests in found.items()}
        print_json({"functions": [{"name": name, "nests": one} for name, one in nests_of.items()]})
        return
    texts = []
    for name, nests in found.items():
        texts.append("\n".join([name, *(f"  {line}" for one in nests for line in lines(one))]))
        if options.kernel is not None:
            texts += [script.print(side[name]) for side in (before, after)]
    print("\n\n".join(texts))


def until_scheduled(passes: Sequence[Pass]) -> list[Pass]:
    """Return the passes up to the last recipe.

    Raises
    ------
    ValueError
        If a pass that explanations need does not run.
    """
    names = [str(one.pass_info.name) for one in passes]
    for name in (FIRST, LAST):
        if name not in names:
            raise ValueError(f"the sequence has no pass `{name}`, which explanations need")
    return list(passes[: names.index(LAST) + 1])


def functions(module: IRModule) -> dict[str, PrimFunc]:
    """Return the functions with loops of a module by their names."""
    return {
        str(name.name_hint): func
        for name, func in module.functions.items()
        if isinstance(func, PrimFunc)
    }


def chosen(name: str, found: dict[str, list[NestSchedule]]) -> list[NestSchedule]:
    """Return the nests of one function.

    Raises
    ------
    ValueError
        If there is no such function.
    """
    if name not in found:
        listed = ", ".join(f"`{one}`" for one in found) or "none"
        raise ValueError(f"there is no kernel `{name}`; there are {listed}{nearest(name, found)}")
    return found[name]


def lines(nest: NestSchedule) -> list[str]:
    """Return the lines about a nest: its kind, and the recipe with a line for each choice."""
    kind = f"{nest.nest}: {nest.kind or 'merged'}, since {nest.reason}"
    if not nest.recipe:
        return [f"{nest.nest}: {nest.kind}, no recipe, since {nest.reason}"]
    return [kind, *(f"  {nest.recipe}: {choice}" for choice in nest.choices)]
