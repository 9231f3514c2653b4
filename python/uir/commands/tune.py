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
    from uir_nodes.ir import IRModule

    from ..tuning import Progress, Result, Workers

__all__ = ["add_tune"]

OBJECTIVES = ("worst", "mean")
"""As `uir.tuning.samples.OBJECTIVES`, which commands without NumPy cannot import."""


def add_tune(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "tune",
        help="search for faster kernels of a program or a model",
        description="Search for faster choices for the kernels of a program or a model, and write "
        "those that two series of measurements confirm. `uir tune db` works on the results.",
    )
    parser.add_argument("program", type=Path, help=FILES)
    parser.add_argument(
        "-o", "--output", type=Path, required=True, help="the file for `uir.build(tuned=...)`"
    )
    parser.add_argument(
        "--budget", metavar="TIME", help="the time, such as 60s, 10m (by default 60s)"
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
    parser.add_argument(
        "--revalidate",
        type=Path,
        metavar="FILE",
        help="search nothing: measure the kernels of a tuned file on this machine, and write those "
        "that are faster here too",
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
    parser.add_argument(
        "--strategy", metavar="NAME", help="a registered order of candidates, such as `evolution`"
    )
    parser.add_argument(
        "--cost-model", metavar="NAME", help="a registered model of times, such as `ridge`"
    )
    add_json(parser)
    parser.add_argument(
        "--load",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="a file .py with functions that return lists of primitives, which take part, or a "
        "library .so; it may register models, strategies and dialects too",
    )
    add_program(parser, "a symbolic dimension: its size, of a model for good")
    parser.set_defaults(run=run, has_random_inputs=True)


def run(options: argparse.Namespace) -> None:
    """Search, or measure the kernels of a file again, and write the file.

    Raises
    ------
    ValueError
        If the database has results already, and `--resume` is missing; or if an option has no
        meaning with `--revalidate`.
    """
    # Need NumPy, which other commands do without.
    from ..tuning.tune import workers_of

    load_packages(options.load)
    database = options.database or options.output.with_suffix(".db")
    _check(options, database)
    module = read_program(options.program, options)
    workers = workers_of(options.workers)
    result = _result(options, module, workers, database)
    if not options.json and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr)
    for note in (*workers.notes, *result.notes):
        print(f"note: {note}", file=sys.stderr)
    result.save(options.output)
    if options.json:
        files = {"output": str(options.output), "database": str(database)}
        print_json({**_json_result(result), **files})
        return
    print(_summary(result, options.output, database))


def _check(options: argparse.Namespace, database: Path) -> None:
    """Reject options that contradict each other or the files that exist, before the search."""
    if database.resolve() == options.output.resolve():
        raise ValueError(f"`{database}` cannot be both the output and the database")
    if not options.output.resolve().parent.is_dir():
        raise OSError(f"there is no folder `{options.output.parent}` for the output")
    if options.revalidate is not None:
        given = {
            "--resume": options.resume,
            "--budget": options.budget is not None,
            "--trials": options.trials is not None,
            "--strategy": options.strategy is not None,
            "--cost-model": options.cost_model is not None,
        }
        for name in (name for name, is_given in given.items() if is_given):
            raise ValueError(f"--revalidate searches nothing, so it does not take {name}")
        if database.exists():
            raise ValueError(
                f"`{database}` exists: name a new file by `--database`, since the kernels are "
                "measured again"
            )
    elif database.exists() and not options.resume:
        raise ValueError(f"`{database}` exists: continue with `--resume`, or remove it")


def _result(
    options: argparse.Namespace, module: IRModule, workers: Workers, database: Path
) -> Result:
    """Search, or measure the kernels of a file again."""
    from ..tuning import default_model, default_strategy, revalidate, tune

    show = _json_line if options.json else _Bar().show
    sizes = _sizes(options)
    if options.revalidate is not None:
        return revalidate(
            module,
            options.revalidate,
            database=database,
            sizes=sizes,
            objective=options.objective,
            seed=options.seed,
            progress=show,
            workers=workers,
        )
    return tune(
        module,
        budget=options.budget or "60s",
        trials=options.trials,
        database=database,
        sizes=sizes,
        objective=options.objective,
        seed=options.seed,
        progress=show,
        workers=workers,
        cost_model=options.cost_model or default_model,
        strategy=options.strategy or default_strategy,
    )


def _sizes(options: argparse.Namespace) -> dict[str, int | tuple[int, ...]]:
    """Return the sizes with which kernels are timed; those of `--dim` are part of a model."""
    made: dict[str, int | tuple[int, ...]] = {}
    for name, given in [*options.samples, *([] if options.is_model else options.dim)]:
        if name in made:
            raise ValueError(f"the sizes of the dimension `{name}` are given twice")
        made[name] = given
    return made


class _Bar:
    """Draws the state of a search, if the standard error is a terminal."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr.isatty()

    def show(self, state: Progress) -> None:
        """Draw the line."""
        if self._is_shown:
            text = (
                f"[{state.place + 1}/{state.kernels}] {state.kernel}: {state.best:.2f}x, module "
                f"{state.gain:.2f}x, {state.measured} measured"
            )
            if state.left is not None:
                text += f", {time_text(state.left)} left"
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
    chains, kernels = ([asdict(one) for one in ones] for ones in (result.chains, result.kernels))
    return {
        "gain": result.gain,
        "measured_count": result.measured,
        "near_peak_count": result.near_peak,
        "chains": chains,
        "kernels": kernels,
        "notes": list(result.notes),
    }


def _summary(result: Result, output: Path, database: Path) -> str:
    parts = {
        "chains": (result.chains, result.chain_shares),
        "kernels": (result.kernels, result.shares),
    }
    rows = [
        (one.name, f"{one.gain:.2f} times as fast, {shares[one.kernel]:.0%} of the time")
        for tuned, shares in parts.values()
        for one in tuned
    ]
    rows += [
        (name, f"{len(tuned)} of {len(shares)} are faster")
        for name, (tuned, shares) in parts.items()
        if shares or name == "kernels"
    ]
    if result.near_peak:
        rows.append(("skipped", f"{result.near_peak} run within 5 % of the peak of this machine"))
    rows.append(("gain", f"{result.gain:.2f} of the whole, expected"))
    rows.append(("measured", f"{result.measured} candidates, in `{database}`"))
    return rows_text([*rows, ("file", str(output))])
