"""Tables of the operators that importers refuse, and why: for messages and for pages.

A table has the names of operators, with spaces between them, by their reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

__all__ = ["Refusals", "reason_of", "refused_rows"]

Refusals: TypeAlias = Mapping[str, str]


def reason_of(operator: str, table: Refusals) -> str | None:
    """Return why an operator is refused; None if the table does not have it."""
    found = (reason for reason, names in table.items() if operator in names.split())
    return next(found, None)


def refused_rows(tables: Mapping[str, Refusals]) -> Iterator[str]:
    """Yield the lines of a table of Markdown.

    Parameters
    ----------
    tables
        A table for each domain of operators; "" is the domain that is not named.
    """
    yield "| refused | operators |"
    yield "|---|---|"
    for domain, table in tables.items():
        of_domain = f", domain `{domain}`" if domain else ""
        for reason, names in table.items():
            yield f"| {reason}{of_domain} | {', '.join(f'`{name}`' for name in names.split())} |"
