"""`uir opt`: from a module to a module, by passes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tschema.command_line import nearest
from uir_nodes.ir import IRModule
from uir_nodes.target import Target, emit_c
from uir_nodes.transform import Pass

from .. import ir, script
from ..driver import default_pipeline
from ..transform import (
    Explorer,
    Instrument,
    PassStatistics,
    PassTiming,
    PrintAfter,
    PrintChanged,
    PrintDiff,
    Sequential,
    VerifyEach,
)
from .compile import add_target, target_of
from .json_output import add_json, print_json, written
from .passes import add_passes, chosen_passes, load_packages, pass_context
from .programs import FILES, add_program, read_program, write_text

__all__ = ["add_opt", "add_sequence", "sequence_of"]

ALL, CHANGED = "all", "changed"
FORMS = ("script", "json", "c")


def add_opt(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "opt",
        help="run passes on a module",
        description="Run passes on a module, and print the result.",
    )
    parser.add_argument(
        "program",
        type=Path,
        nargs="?",
        default=Path("-"),
        help=f"{FILES}; the standard input by default",
    )
    parser.add_argument("-o", "--output", type=Path, help="the file of the result")
    parser.add_argument("--emit", choices=FORMS, default="script", help="the form of the result")
    add_sequence(parser)
    add_observers(parser)
    add_target(parser)
    add_program(parser)
    add_json(parser)
    parser.set_defaults(run=run, has_random_inputs=False)


def add_sequence(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose passes, one by one or as a pipeline."""
    add_passes(parser)
    parser.add_argument("--pipeline", choices=["c"], help="the passes of `compile`")
    parser.add_argument("--until", metavar="NAME", help="the last pass that runs")


def add_observers(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that print, check and measure passes, on the standard error."""
    parser.add_argument(
        "--print-after",
        action="append",
        default=[],
        metavar="all|changed|NAME",
        help="print the module after all passes, those that change it, or those of a name",
    )
    parser.add_argument(
        "--diff", action="store_true", help="print a unified diff for each pass that changes it"
    )
    parser.add_argument(
        "--verify", action="store_true", help="check before the first pass that it is well-formed"
    )
    parser.add_argument(
        "--verify-each", action="store_true", help="check after each pass that it is well-formed"
    )
    parser.add_argument("--time", action="store_true", help="print the time of each pass")
    parser.add_argument("--stats", action="store_true", help="print what passes count")


def run(options: argparse.Namespace) -> None:
    """Run passes, and write the result."""
    load_packages(options.load)
    target = target_of(options)
    passes = sequence_of(options, target)
    timing, statistics = PassTiming(), PassStatistics()
    asked = ((timing, options.time or options.json), (statistics, options.stats))
    tables = [table for table, is_asked in asked if is_asked]
    module = read_program(options.program, options)
    if options.verify:
        check(module, options.sources)
    with ExitStack() as stack:
        if not options.json:
            stack.callback(lambda: sys.stderr.writelines(one.render() for one in tables))
        stack.enter_context(pass_context(options, passes, [*observers(options, passes), *tables]))
        module = Sequential(passes, name="opt")(module)
    text = emitted(module, options.emit, target)
    if not options.json:
        write_text(options.output, text)
        return
    counts = {name: dict(one) for name, one in statistics.counts.items()}
    result = {**written(options.output, text), "passes": json_passes(timing)}
    print_json({**result, "counts": counts} if options.stats else result)


def json_passes(timing: PassTiming) -> list[dict[str, object]]:
    """Return the runs of passes as values of JSON, with those of a sequence one level deeper."""
    return [
        {"name": run.name, "depth": run.depth, "time_seconds": run.nanoseconds / 1e9}
        for run in timing.runs
    ]


def check(module: IRModule, sources: ir.SourceMap) -> None:
    """Reject a module that is not well-formed.

    Raises
    ------
    ValueError
        If it is not; the message lists the violations, with the lines of a script.
    """
    found = ir.verify(module)
    if found:
        raise ValueError(ir.render_diagnostics(found, sources))


def sequence_of(options: argparse.Namespace, target: Target) -> list[Pass]:
    """Return the passes that the arguments of `add_sequence` choose.

    Raises
    ------
    ValueError
        If the text of passes has a mistake, both arguments choose passes, or no pass has the name
        of the last one.
    """
    if options.passes is not None and options.pipeline is not None:
        raise ValueError("--passes and --pipeline exclude each other")
    passes = chosen_passes(options, target)
    if passes is None:
        passes = default_pipeline(target) if options.pipeline else []
    if options.until is None:
        return passes
    names = [str(one.pass_info.name) for one in passes]
    check_name("--until", options.until, names)
    return passes[: names.index(options.until) + 1]


def observers(options: argparse.Namespace, passes: Sequence[Pass]) -> list[Instrument]:
    """Return the instruments that the arguments of `add_observers` ask for."""
    found: list[Instrument] = []
    if ALL in options.print_after:
        found.append(PrintAfter(names_of(passes), stream=sys.stderr))
    elif CHANGED in options.print_after:
        found.append(PrintChanged(stream=sys.stderr))
    names = [one for one in options.print_after if one not in (ALL, CHANGED)]
    for name in names:
        check_name("--print-after", name, names_of(passes))
    if names:
        found.append(PrintAfter(names, stream=sys.stderr))
    if options.diff:
        found.append(PrintDiff(stream=sys.stderr))
    if options.verify_each:
        found.append(VerifyEach())
    if options.explorer:
        found.append(Explorer(options.explorer))
    return found


def names_of(passes: Sequence[Pass]) -> list[str]:
    """Return the names of passes, and of the passes that they require."""
    infos = [one.pass_info for one in passes]
    return [str(name) for info in infos for name in (*info.required, info.name)]


def check_name(option: str, name: str, names: Sequence[str]) -> None:
    """Reject the name of a pass that does not run."""
    if name not in names:
        raise ValueError(f"{option}: the sequence has no pass `{name}`{nearest(name, names)}")


def emitted(module: IRModule, form: str, target: Target) -> str:
    """Return a module as text of a form of `FORMS`."""
    if form == "json":
        return ir.save_json(module) + "\n"
    if form == "c":
        return str(emit_c(module, target))
    return script.print(module) + "\n"
