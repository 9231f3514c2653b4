"""The command line: the only module that prints, and the one that sets the exit status.

In: arguments.  Out: text, and 0 (done, or up to date), 1 (the check found something), 2 (the input
is wrong) or 3 (tschema failed).  What it does is in `driver.py`; whatever takes long to import is
imported where it is used.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tschema import __version__
from tschema.backends import BACKENDS
from tschema.errors import Diagnostic, SchemaError, render

if TYPE_CHECKING:
    from tschema.config import Config
    from tschema.driver import Plan, Progress

__all__ = ["main"]

DONE, FOUND, WRONG_INPUT, FAILED = 0, 1, 2, 3

_EPILOG = """exit status:
  0  done, or up to date
  1  the check found something: an outdated file, a hand edit
  2  the input is wrong
  3  tschema failed
"""
_PATIENCE = 1.0
"""Seconds before progress is shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command.

    Parameters
    ----------
    arguments
        Those of the command line; `sys.argv` if None.

    Returns
    -------
    status
        The exit status.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except SchemaError as error:
        return _wrong_input(error.diagnostics)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        return _failed(error)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tschema",
        description="Declare IR nodes once, use them from C++, Python and Rust.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"tschema {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_gen(commands.add_parser("gen", help="generate code from the declarations"))
    _add_ir(commands.add_parser("ir", help="print the declarations as JSON"))
    cmake = commands.add_parser("cmake-args", help="print what `cmake` needs to find tschema")
    cmake.set_defaults(run=_run_cmake_args)
    return parser


def _add_gen(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "paths",
        metavar="PATHS",
        nargs="*",
        type=Path,
        help="schema files or folders whose outputs are wanted; all by default",
    )
    _add_config(parser)
    parser.add_argument(
        "--lang",
        metavar="LANGS",
        type=_languages,
        help=f"languages to write, of {','.join(BACKENDS)}; all that are configured by default",
    )
    modes = parser.add_mutually_exclusive_group()
    modes.add_argument(
        "--check", action="store_true", help="write nothing; 1 if a file is outdated"
    )
    modes.add_argument("--diff", action="store_true", help="write nothing, show what would change")
    modes.add_argument("--dry-run", action="store_true", help="write nothing, list what would be")
    parser.add_argument(
        "--discard", action="store_true", help="throw away hand edits outside custom regions"
    )
    parser.add_argument(
        "--out-dir", metavar="DIR", type=Path, help="folder that output paths are relative to"
    )
    parser.add_argument("-v", "--verbose", action="store_true", help="name every file")
    parser.set_defaults(run=_run_gen)


def _add_ir(parser: argparse.ArgumentParser) -> None:
    _add_config(parser)
    parser.add_argument(
        "--json-schema", action="store_true", help="print the JSON Schema of that JSON instead"
    )
    parser.set_defaults(run=_run_ir)


def _add_config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the configuration; the nearest tschema.toml or pyproject.toml by default",
    )


def _languages(text: str) -> frozenset[str]:
    languages = frozenset(filter(None, text.split(",")))
    unknown = sorted(languages.difference(BACKENDS))
    if unknown or not languages:
        listed = ", ".join(BACKENDS)
        raise argparse.ArgumentTypeError(f"unknown language {unknown or text!r}, not of {listed}")
    return languages


def _run_gen(options: argparse.Namespace) -> int:
    from tschema.driver import Request, apply, make_plan

    config = _load_config(options)
    _check_languages(config, options.lang)
    request = Request(config, options.lang, tuple(options.paths), options.out_dir)
    with _progress() as progress:
        plan = make_plan(request, progress)
    _report(plan.warnings)
    if options.check:
        return _check(plan)
    if options.diff:
        sys.stdout.writelines(_diffs(plan))
        return FOUND if plan.changes else DONE
    if plan.edits and not options.discard:
        return _stop_at_edits(plan)
    if not options.dry_run:
        apply(plan)
    _summarize(plan, options)
    return DONE


def _run_ir(options: argparse.Namespace) -> int:
    import json

    from tschema import codec

    if options.json_schema:
        print(json.dumps(codec.json_schema(), indent=2))
        return DONE
    from tschema.driver import build_schema

    schema, warnings = build_schema(_load_config(options))
    _report(warnings)
    _print_bytes(codec.encode(schema))
    return DONE


def _run_cmake_args(_options: argparse.Namespace) -> int:
    from tschema.cmake import cmake_args

    try:
        print(*cmake_args())
    except FileNotFoundError as error:
        print(f"tschema: {error}", file=sys.stderr)
        return FAILED
    return DONE


def _load_config(options: argparse.Namespace) -> Config:
    from tschema.config import find_config, load_config

    return load_config(options.config or find_config(Path.cwd()))


def _check_languages(config: Config, languages: frozenset[str] | None) -> None:
    """Refuse languages that the project has no target for."""
    missing = sorted((languages or frozenset()).difference(config.targets()))
    if missing:
        raise SchemaError(
            Diagnostic("TS052", "error", f"`{config.file.name}` has no table `[{language}]`")
            for language in missing
        )


def _check(plan: Plan) -> int:
    """Name every file that is not as it should be."""
    for path in plan.changes.written:
        print(f"{path}: {'is outdated' if path in plan.old else 'is missing'}")
    for path in plan.changes.removed:
        print(f"{path}: is no longer generated")
    _report(edit.diagnostic for edit in plan.edits)
    return FOUND if plan.changes or plan.edits else DONE


def _stop_at_edits(plan: Plan) -> int:
    """Show the hand edits that writing would throw away."""
    for edit in plan.edits:
        print(render(edit.diagnostic), file=sys.stderr)
        sys.stderr.write(edit.diff)
    print("tschema: nothing was written", file=sys.stderr)
    return FOUND


def _summarize(plan: Plan, options: argparse.Namespace) -> None:
    """Say what was done; nothing when nothing changed, but with `-v`."""
    written, removed = plan.changes.written, plan.changes.removed
    would = "would " if options.dry_run else ""
    if options.verbose or options.dry_run:
        for path in written:
            print(f"{would}{'write' if would else 'wrote'} {path}")
        for path in removed:
            print(f"{would}{'remove' if would else 'removed'} {path}")
    if plan.changes and not would:
        gone = f", removed {len(removed)}" if removed else ""
        print(f"wrote {len(written)} of {len(plan.files)} files{gone}")
    elif options.verbose and not plan.changes:
        print(f"{len(plan.files)} files are up to date")


def _diffs(plan: Plan) -> Iterator[str]:
    """Yield the lines of a unified diff, from what is there to what would be."""
    from difflib import unified_diff

    for path in (*plan.changes.written, *plan.changes.removed):
        before = plan.old.get(path, b"").decode("utf-8", "backslashreplace")
        after = plan.files.get(path, b"").decode("utf-8", "backslashreplace")
        for line in unified_diff(
            before.splitlines(keepends=True),
            after.splitlines(keepends=True),
            f"a/{path}" if path in plan.old else "/dev/null",
            f"b/{path}" if path in plan.files else "/dev/null",
        ):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _report(diagnostics: Iterable[Diagnostic]) -> None:
    for diagnostic in diagnostics:
        print(render(diagnostic), file=sys.stderr)


def _wrong_input(diagnostics: Sequence[Diagnostic]) -> int:
    _report(diagnostics)
    count = len(diagnostics)
    print(f"tschema: {count} error{'s' * (count != 1)}, nothing was written", file=sys.stderr)
    return WRONG_INPUT


def _failed(error: Exception) -> int:
    """Explain a failure; only a fault of tschema itself shows a traceback."""
    from tschema.format import FormatError
    from tschema.output import OutputError

    if isinstance(error, FormatError | OutputError):
        print(f"tschema: {error}", file=sys.stderr)
        return FAILED
    traceback.print_exception(error)
    print(f"tschema {__version__}: internal error, a bug of tschema itself", file=sys.stderr)
    return FAILED


def _print_bytes(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show the stage of a run on a terminal, once the run has taken a while."""
    if not sys.stderr.isatty():
        yield lambda _stage: None
        return
    line = _ProgressLine()
    timer = threading.Timer(_PATIENCE, line.show)
    timer.daemon = True
    timer.start()
    try:
        yield line.enter
    finally:
        timer.cancel()
        timer.join()
        line.clear()


class _ProgressLine:
    """One line of a terminal that says what is going on."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stage = ""
        self._is_shown = False

    def enter(self, stage: str) -> None:
        """Note the stage that begins."""
        with self._lock:
            self._stage = stage
            if self._is_shown:
                self._write(f"tschema: {stage} ...")

    def show(self) -> None:
        """Begin to show the stages."""
        with self._lock:
            self._is_shown = True
            self._write(f"tschema: {self._stage} ...")

    def clear(self) -> None:
        """Remove the line."""
        with self._lock:
            if self._is_shown:
                self._is_shown = False
                self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()
