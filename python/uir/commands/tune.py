"""`uir tune`: a search for faster choices for the kernels of a program or a model."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..runtime.units import time_text
from .json_output import add_json, print_json
from .passes import load_packages
from .programs import FILES, add_program, named_sizes, positive, read_program
from .table import rows_text

if TYPE_CHECKING:
    from ..tuning import Progress, Result

__all__ = ["add_tune"]

OBJECTIVES = ("worst", "mean")
"""As `uir.tuning.samples.OBJECTIVES`, which commands without NumPy cannot import."""


def add_tune(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "tune",
        help="search for faster kernels of a program or a model",
        description="Search for faster choices for the kernels of a program or a model, and write "
        "those that two series of measurements confirm. `uir tune-db` works on the results.",
    )
    parser.add_argument("program", type=Path, help=FILES)
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="the file for `uir.build(tuned=...)`"
    )
    parser.add_argument(
        "--budget", default="60s", help="the time, such as 60s, 10m (by default 60s)"
    )
    parser.add_argument("--trials", type=positive, help="the most candidates of a kernel")
    parser.add_argument(
        "--database",
        type=Path,
        metavar="FILE.db",
        help="the results of all candidates; by default beside the output",
    )
    parser.add_argument(
        "--resume", action="store_true", help="continue with the results of the database"
    )
    parser.add_argument("--seed", type=int, default=0, help="the seed of proposals, by default 0")
    parser.add_argument(
        "--workers",
        default="1",
        metavar="N",
        help="how many candidates are timed at the same time, each on a core of its own, or `ray` "
        "or `ray://HOST:PORT` for the machines of a cluster",
    )
    parser.add_argument(
        "--samples",
        action="append",
        default=[],
        type=named_sizes,
        metavar="NAME=N,...",
        help="a symbolic dimension: its sizes, for which kernels are timed",
    )
    parser.add_argument(
        "--objective",
        choices=OBJECTIVES,
        default="worst",
        help="how the ratios of several samples become one, by default worst",
    )
    add_json(parser)
    parser.add_argument(
        "--load", action="append", default=[], type=Path, metavar="FILE", help=argparse.SUPPRESS
    )
    add_program(parser, "a symbolic dimension: its size, of a model for good")
    parser.set_defaults(run=run, has_random_inputs=True)


def run(options: argparse.Namespace) -> None:
    """Search, and write the file.

    Raises
    ------
    ValueError
        If the database has results already, and `--resume` is missing.
    """
    # Need NumPy, which other commands do without.
    from ..tuning import tune
    from ..tuning.tune import workers_of

    load_packages(options.load)
    database = options.database or options.output.with_suffix(".db")
    if database.exists() and not options.resume:
        raise ValueError(f"`{database}` exists: continue with `--resume`, or remove it")
    module = read_program(options.program, options)
    workers = workers_of(options.workers)
    show = _json_line if options.json else _Bar().show
    result = tune(
        module,
        budget=options.budget,
        trials=options.trials,
        database=database,
        sizes=dict([*options.dim, *options.samples]),
        objective=options.objective,
        seed=options.seed,
        progress=show,
        workers=workers,
    )
    if not options.json and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    for note in workers.notes:
        print(f"note: {note}", file=sys.stderr)
    result.save(options.output)
    if options.json:
        files = {"output": str(options.output), "database": str(database)}
        print_json({**_json_result(result), **files})
        return
    print(_summary(result, options.output, database))


class _Bar:
    """Draws the state of a search, if the standard error is a terminal."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()

    def show(self, state: Progress) -> None:
        """Draw the line."""
        if self._is_shown:
            text = (
                f"[{state.place + 1}/{state.kernels}] {state.kernel}: {state.best:.2f}x, module "
                f"{state.gain:.2f}x, {state.measured} measured, {time_text(state.left)} left"
            )
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def _json_line(state: Progress) -> None:
    fields = {
        "kernel": state.kernel,
        "number": state.place + 1,
        "kernel_count": state.kernels,
        "measured_count": state.measured,
        "best": state.best,
        "gain": state.gain,
        "left_seconds": state.left,
    }
    print_json({"progress": fields})


def _json_result(result: Result) -> dict[str, object]:
    kernels = [asdict(one) for one in result.kernels]
    return {
        "gain": result.gain,
        "measured_count": result.measured,
        "near_peak_count": result.near_peak,
        "kernels": kernels,
    }


def _summary(result: Result, output: Path, database: Path) -> str:
    rows = [
        (one.name, f"{one.gain:.2f} times as fast, {result.shares[one.kernel]:.0%} of the time")
        for one in result.kernels
    ]
    rows.append(("kernels", f"{len(result.kernels)} of {len(result.shares)} are faster"))
    if result.near_peak:
        rows.append(("skipped", f"{result.near_peak} run within 5 % of the peak of this machine"))
    rows.append(("gain", f"{result.gain:.2f} of the whole, expected"))
    rows.append(("measured", f"{result.measured} candidates, in `{database}`"))
    return rows_text([*rows, ("file", str(output))])
