"""`uir tune db`: the results of `uir tune` in a database."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .json_output import add_json, print_json
from .programs import write_text
from .table import rows_text

if TYPE_CHECKING:
    from ..tuning import Context, Database, Row

__all__ = ["add_tune_db"]


def add_tune_db(commands: Any) -> None:
    """Add the command, with a command for each task."""
    parser = commands.add_parser(
        "tune-db",
        prog="uir tune db",
        help="work on the results of `uir tune`",
        description="List, merge, export and prune the results of `uir tune`.",
    )
    tasks = parser.add_subparsers(required=True, metavar="TASK")
    listing = _task(tasks, "list", "all candidates with their outcome", list_rows)
    listing.add_argument("--kernel", help="the hash of a kernel or a chain")
    _task(tasks, "best", "the confirmed candidate of each chain and kernel", best)
    merging = _task(tasks, "merge", "add the rows of other databases", merge)
    merging.add_argument("others", type=Path, nargs="+", metavar="OTHER.db")
    exporting = _task(tasks, "export", "write the file for `uir.build(tuned=...)`", export)
    exporting.add_argument("-o", "--output", type=Path, required=True)
    exporting.add_argument("--context", metavar="KEY", help="the context, if there are several")
    reporting = _task(tasks, "report", "write a page about the kernels", report)
    reporting.add_argument("-o", "--output", type=Path, required=True, help="a file .html")
    reporting.add_argument("--context", metavar="KEY", help="the context, if there are several")
    pruning = _task(tasks, "prune", "remove failures, and rows of other contexts", prune)
    pruning.add_argument("--context", metavar="KEY", help="the context to keep")


def list_rows(options: argparse.Namespace) -> None:
    """Print a line for each candidate."""
    with _database(options.database) as database:
        rows = list(database.rows(options.kernel))
        _say_skipped(database)
    if options.json:
        print_json({"candidates": [_json_row(row) for row in rows]})
    elif rows:
        print(rows_text([(f"{row.kernel} {row.name}", _row_text(row)) for row in rows]))


def best(options: argparse.Namespace) -> None:
    """Print the confirmed candidate of each chain and kernel, by context."""
    from ..tuning.result import tuned_chains, tuned_kernels

    with _database(options.database) as database:
        contexts = database.contexts()
        rows = {key: list(database.rows(context=key)) for key in contexts}
        found = [
            (context, tuned_chains(rows[key]), tuned_kernels(rows[key]))
            for key, context in contexts.items()
        ]
        _say_skipped(database)
    if options.json:
        described = [
            {
                "key": context.key,
                **asdict(context),
                "chains": [asdict(one) for one in chains],
                "kernels": [asdict(one) for one in kernels],
            }
            for context, chains, kernels in found
        ]
        print_json({"contexts": described})
        return
    for context, chains, kernels in found:
        print(f"{context.key}: {context.isa}, {context.processor}, {context.compiler}")
        for one in (*chains, *kernels):
            print(f"  {one.kernel} {one.name}: {one.gain:.2f}")
            print("\n".join(f"    {line}" for line in one.trace))


def merge(options: argparse.Namespace) -> None:
    """Add the rows of other databases."""
    added: dict[str, int] = {}
    with _database(options.database, exists=False) as database:
        missing = next((path for path in options.others if not path.exists()), None)
        if missing is not None:
            raise FileNotFoundError(f"there is no file `{missing}`")
        for path in options.others:
            with _database(path) as other:
                added[str(path)] = database.merge(other)
                _say_skipped(other)
    if options.json:
        merged = [{"database": path, "new_row_count": count} for path, count in added.items()]
        print_json({"databases": merged})
        return
    print("\n".join(f"{path}: {count} new rows" for path, count in added.items()))


def export(options: argparse.Namespace) -> None:
    """Write the file of the tuned kernels and chains of a context."""
    from ..tuning.result import Result, tuned_chains, tuned_kernels

    with _database(options.database) as database:
        context = _context(database, options.context)
        rows = list(database.rows(context=context.key))
        kernels, chains = tuned_kernels(rows), tuned_chains(rows)
        _say_skipped(database)
    Result(kernels, {}, context, 0, chains=chains).save(options.output)
    if options.json:
        counts = {"kernel_count": len(kernels), "chain_count": len(chains)}
        print_json({"output": str(options.output), **counts})
        return
    print(f"{options.output}: {len(kernels)} kernels, {len(chains)} chains")


def report(options: argparse.Namespace) -> None:
    """Write a page about the kernels of a context."""
    from ..tuning.report import report_page

    with _database(options.database) as database:
        context = _context(database, options.context)
        rows, times = list(database.rows(context=context.key)), database.times(context.key)
        page = report_page(rows, context, times)
        _say_skipped(database)
    write_text(options.output, page)
    if options.json:
        print_json({"output": str(options.output)})


def prune(options: argparse.Namespace) -> None:
    """Remove rows."""
    with _database(options.database) as database:
        removed = database.prune(_context(database, options.context).key)
    if options.json:
        print_json({"removed_row_count": removed})
        return
    print(f"{removed} rows removed")


def _task(tasks: Any, name: str, text: str, run: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = tasks.add_parser(name, help=text)
    parser.add_argument("database", type=Path, metavar="FILE.db")
    add_json(parser)
    parser.set_defaults(run=run)
    return parser


def _database(path: Path, *, exists: bool = True) -> Database:
    from ..tuning import Database  # Needs NumPy, which other commands do without.

    if exists and not path.exists():
        raise FileNotFoundError(f"there is no file `{path}`")
    return Database(path)


def _context(database: Database, key: str | None) -> Context:
    """Return the context of a key, or the only one."""
    contexts = database.contexts()
    if key is None and len(contexts) == 1:
        return next(iter(contexts.values()))
    if key is None or key not in contexts:
        _say_skipped(database)
        known = ", ".join(f"`{one}`" for one in contexts) or "none"
        raise ValueError(f"--context must be one of: {known}")
    return contexts[key]


def _row_text(row: Row) -> str:
    time = "" if row.ratio is None else f", {row.ratio:.3f} of the recipes' time"
    return f"{row.series} {row.outcome} ({row.reason}){time} {' | '.join(row.trace)}"


def _json_row(row: Row) -> dict[str, object]:
    fields = asdict(row)
    times = {"times": "times_seconds", "against_times": "against_times_seconds"}
    return {times.get(name, name): value for name, value in fields.items()}


def _say_skipped(database: Database) -> None:
    _lines(f"skipped: {text}" for text in database.skipped)


def _lines(texts: Iterable[str]) -> None:
    for text in texts:
        print(text, file=sys.stderr)
