"""`tschema explain`: explains a code, or lists the codes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator

from tschema.cli.outcome import WRONG_INPUT, Outcome, out, remark
from tschema.diagnostics.explain import explain, list_codes, titles
from tschema.diagnostics.helps import suggest


def run(options: argparse.Namespace, _progress: Callable[[str], None]) -> Iterator[Outcome]:
    """Yield an explanation, or the list."""
    if not options.code:
        yield Outcome(pieces=(out(list_codes()),))
    elif options.code.strip().upper() in titles():
        yield Outcome(pieces=(out(explain(options.code)),))
    else:
        help = suggest(options.code.upper(), titles()) or "`tschema explain` lists the codes"
        yield Outcome(WRONG_INPUT, pieces=(remark(f"no code `{options.code}`: {help}"),))
