"""Changes as diagnostics: their places, the users that they affect, and a remedy.

In: changes, and the level that the project sets.  Out: diagnostics.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from tschema.compatibility.rules import RULES, Change
from tschema.diagnostics.errors import Diagnostic, Note
from tschema.ir.locate import Locator
from tschema.project.config import BreakingSettings, Level


def diagnose(
    changes: Iterable[Change], settings: BreakingSettings, locator: Locator
) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each change that a project asks for.

    Parameters
    ----------
    settings
        The levels to report, the codes and the declarations to leave out.
    locator
        Finds declarations of the new schema.
    """
    for change in changes:
        levels = [level for level in change.levels() if level in settings.levels]
        is_allowed = change.code in settings.ignore or any(
            fnmatchcase(change.key, pattern) for pattern in settings.unstable
        )
        if levels and not is_allowed:
            yield _diagnostic(change, levels, locator)


def _diagnostic(change: Change, levels: Iterable[Level], locator: Locator) -> Diagnostic:
    rule = RULES[change.code]
    notes = tuple(Note(f"{level}: {rule.breaks[level]}") for level in levels)
    span = locator.span(change.key, change.member)
    return Diagnostic(change.code, "error", change.message, span, notes, rule.help)
