"""`tschema gen`: generates files from declarations, once or on each change.

In: the arguments.  Out: an outcome for each run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tschema.adoption.plan import Plan, Progress, Request, make_plan
from tschema.cli.changed_files import diff, planned
from tschema.cli.chosen_project import checked_config, chosen_config
from tschema.cli.outcome import (
    DONE,
    FOUND,
    WRONG_INPUT,
    Outcome,
    Piece,
    counted,
    failure,
    out,
    remark,
)
from tschema.diagnostics.errors import Diagnostic, SchemaError
from tschema.diagnostics.source import SourceFile, Span
from tschema.pipeline.run import apply
from tschema.project.config import Config

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace, progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield the outcome of each run: one run, or several with `--watch`."""
    if options.is_trial and (options.check or options.diff):
        what = "`--try` checks the output of a run: leave `--check` and `--diff` out"
        yield Outcome(WRONG_INPUT, pieces=(remark(what),))
    elif options.watch:
        yield from _watch(options, progress)
    else:
        yield _generate(options, progress)


def _watch(options: argparse.Namespace, progress: Progress) -> Iterator[Outcome]:
    """Yield the outcome of a run, and of another run whenever an input has changed."""
    import signal

    from tschema.cli.watch import changes
    from tschema.pipeline.inputs import find_inputs

    # A shell starts background jobs with SIGINT ignored; a watch has to end all the same.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    config = chosen_config(options)
    yield Outcome(pieces=(remark("watching the schema, until interrupted"),))
    previous = DONE
    for _ in changes(lambda: find_inputs(_config_or(options, config))):
        try:
            outcome = _generate(options, progress)
        except Exception as error:
            outcome = failure(error)
        if previous != DONE == outcome.status and not outcome.pieces:
            outcome = Outcome(DONE, outcome.diagnostics, (remark("all is well again"),))
        previous = outcome.status
        yield outcome


def _config_or(options: argparse.Namespace, last: Config) -> Config:
    """Return the configuration as it is now, or the last one that was right."""
    try:
        return chosen_config(options)
    except SchemaError:
        return last


def _generate(options: argparse.Namespace, progress: Progress) -> Outcome:
    request = _request(options)
    plan = make_plan(request, progress)
    if options.adopt:
        plan = _without_changed_registrations(plan, progress)
    if options.check:
        return _checked(plan, options.format == "text")
    if options.diff:
        status = FOUND if plan.changes or plan.conflicts else DONE
        shown = diff(plan.changes, plan.old, plan.files)
        return Outcome(status, plan.warnings + plan.conflicts, (shown,))
    if plan.edits and not options.discard:
        return _stopped(plan)
    if options.strict and any(one.code == "TS154" for one in plan.warnings):
        return Outcome(FOUND, plan.warnings, (remark("nothing was written"),))
    found: tuple[Diagnostic, ...] = ()
    if options.is_trial and plan.changes:
        plan, found, has_errors = _tried(options, plan, progress)
        if has_errors:
            return Outcome(FOUND, plan.warnings + found, (remark("nothing was written"),))
    if options.dry_run:
        status = FOUND if plan.conflicts else DONE
        return Outcome(status, plan.warnings + plan.conflicts + found, tuple(planned(plan.changes)))
    apply(plan)
    if options.depfile:
        _write_depfile(options, request, plan)
    if plan.conflicts:
        return _in_conflict(plan, options.verbose)
    return Outcome(DONE, plan.warnings + found, tuple(_done(plan, options.verbose)))


def _without_changed_registrations(plan: Plan, progress: Progress) -> Plan:
    """Return a plan in which classes stay by hand that would be registered otherwise."""
    if not any(b"ObjectDef<" in plan.old.get(path, b"") for path in plan.changes.written):
        return plan
    from tschema.adoption.registrations import changed_registrations  # Takes long to import.

    progress("comparing registrations")
    left = changed_registrations(plan)
    request = plan.request
    return make_plan(replace(request, left={**request.left, **left}), progress) if left else plan


def _tried(
    options: argparse.Namespace, plan: Plan, progress: Progress
) -> tuple[Plan, tuple[Diagnostic, ...], bool]:
    """
    Make the compiler check the files to be written.

    Classes that would no longer compile are not adopted, and the others are checked again.

    Returns
    -------
    plan
        Without these classes; the given one if errors would remain.
    has_errors
        Whether an error is new.
    """
    from tschema.adoption.compile_trial import try_plan  # Takes long to import.

    first = tried = try_plan(plan, options.compile_commands, progress)
    rest = plan
    while tried.errors and tried.left and options.adopt and not options.strict:
        left = {**rest.request.left, **tried.left}
        rest = make_plan(replace(rest.request, left=left), progress)
        tried = try_plan(rest, options.compile_commands, progress)
    if tried.errors:
        return plan, first.unchecked + first.errors, True
    return rest, tried.unchecked, False


def _request(options: argparse.Namespace) -> Request:
    config = checked_config(options)
    _check_languages(config, options.lang)
    return Request(
        config,
        options.lang,
        tuple(options.paths),
        options.out_dir,
        tuple(options.plugins),
        options.adopt,
    )


def _check_languages(config: Config, languages: frozenset[str] | None) -> None:
    """Refuse languages that the project has no target for."""
    missing = sorted((languages or frozenset()).difference(config.targets()))
    if missing:
        raise SchemaError(
            Diagnostic("TS052", "error", f"`{config.file.name}` has no table `[{language}]`")
            for language in missing
        )


def _checked(plan: Plan, is_text: bool) -> Outcome:
    """Name every file that is not as it should be; for a program, as diagnostics."""
    faults = [
        (path, "is out of date" if path in plan.old else "is missing")
        for path in plan.changes.written
    ]
    faults += [(path, "is no longer generated") for path in plan.changes.removed]
    diagnostics = plan.warnings + plan.conflicts + tuple(edit.diagnostic for edit in plan.edits)
    status = FOUND if plan.changes or plan.edits or plan.conflicts else DONE
    if is_text:
        return Outcome(status, diagnostics, tuple(out(f"{path}: {what}") for path, what in faults))
    return Outcome(status, diagnostics + tuple(_outdated(*fault) for fault in faults))


def _outdated(path: PurePosixPath, what: str) -> Diagnostic:
    span = Span(SourceFile(str(path), ""), 1, 1, 1, 1)
    return Diagnostic("TS067", "error", f"`{path}` {what}", span, help="run `tschema gen`")


def _stopped(plan: Plan) -> Outcome:
    """Show the hand edits that writing would discard."""
    pieces = [Piece("err", edit.diff, is_diff=True) for edit in plan.edits]
    edits = tuple(edit.diagnostic for edit in plan.edits)
    return Outcome(FOUND, plan.warnings + edits, (*pieces, remark("nothing was written")))


def _in_conflict(plan: Plan, is_verbose: bool) -> Outcome:
    """Report the written files, and the custom regions that both sides of a merge changed."""
    left = remark(f"{counted(len(plan.conflicts), 'conflict')} left in custom regions")
    return Outcome(FOUND, plan.warnings + plan.conflicts, (*_done(plan, is_verbose), left))


def _done(plan: Plan, is_verbose: bool) -> Iterator[Piece]:
    """Report the changes; if nothing changed, say so only with `-v`."""
    written, removed = plan.changes.written, plan.changes.removed
    if is_verbose:
        yield from (out(f"wrote {path}") for path in written)
        yield from (out(f"removed {path}") for path in removed)
    if plan.changes:
        gone = f", removed {len(removed)}" if removed else ""
        yield out(f"wrote {len(written)} of {len(plan.files)} files{gone}")
    elif is_verbose:
        yield out(f"{len(plan.files)} files are up to date")


def _write_depfile(options: argparse.Namespace, request: Request, plan: Plan) -> None:
    from tschema.pipeline.depfile import write_depfile
    from tschema.pipeline.inputs import find_inputs

    inputs = find_inputs(request.config, request.plugins)
    targets = options.depfile_targets or [request.root / path for path in plan.files]
    write_depfile(options.depfile, targets, inputs)
