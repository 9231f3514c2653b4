"""Fragments of HTML for notebooks: one style sheet, tables and bars.

The colours are variables of CSS. They follow the page (JupyterLab, VS Code, Colab, Material for
MkDocs) where it names its theme, and the system elsewhere.
"""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import NamedTuple

__all__ = ["STYLE", "Bar", "fragment", "rows_table"]

_LIGHT = """
  --uir-text: #24292f; --uir-muted: #57606a; --uir-line: #d0d7de; --uir-fill: #f6f8fa;
  --uir-bar: #4878a8; --uir-string: #0a6b3d; --uir-decorator: #8250df; --uir-number: #0550ae;
  --uir-keyword: #b3192a; --uir-hot: #ffd8b5;"""
_DARK = """
  --uir-text: #e6edf3; --uir-muted: #9ea7b1; --uir-line: #444c56; --uir-fill: #22272e;
  --uir-bar: #6ca0d0; --uir-string: #7ee2a8; --uir-decorator: #d2a8ff; --uir-number: #79c0ff;
  --uir-keyword: #ff8f87; --uir-hot: #58320f;"""

STYLE = f"""\
.uir {{{_LIGHT}
  color: var(--uir-text); font-size: 13px; overflow-x: auto; }}
@media (prefers-color-scheme: dark) {{ .uir {{{_DARK} }} }}
[data-jp-theme-light="true"] .uir, .vscode-light .uir,
[data-md-color-scheme="default"] .uir {{{_LIGHT} }}
[data-jp-theme-light="false"] .uir, .vscode-dark .uir, html[theme="dark"] .uir,
[data-md-color-scheme="slate"] .uir {{{_DARK} }}
.uir pre {{ color: inherit; background: none; line-height: 1.4; margin: 0; white-space: pre; }}
.uir summary {{ cursor: pointer; }} .uir summary pre {{ display: inline; }}
.uir .comment, .uir .package, .uir .muted {{ color: var(--uir-muted); }}
.uir .string {{ color: var(--jp-mirror-editor-string-color, var(--uir-string)); }}
.uir .decorator {{ color: var(--jp-mirror-editor-meta-color, var(--uir-decorator)); }}
.uir .number {{ color: var(--jp-mirror-editor-number-color, var(--uir-number)); }}
.uir .keyword {{ color: var(--jp-mirror-editor-keyword-color, var(--uir-keyword)); }}
.uir .definition {{ font-weight: bold; }}
.uir table {{ border-collapse: collapse; margin: 4px 0; font-size: inherit; }}
.uir th, .uir td {{ padding: 2px 10px; text-align: left; white-space: pre; color: inherit;
  font-variant-numeric: tabular-nums; border-bottom: 1px solid var(--uir-line); }}
.uir .bar {{ display: inline-block; height: .8em; margin-right: 6px; background: var(--uir-bar); }}
"""
"""The style sheet of `fragment`, for light and dark pages."""

_BAR_WIDTH = 160


class Bar(NamedTuple):
    """A cell with a bar.

    Attributes
    ----------
    share
        The length, from 0 to 1.
    text
        A text behind the bar.
    """

    share: float
    text: str


def fragment(body: str) -> str:
    """Return a fragment with its style sheet; `body` is HTML."""
    return f'<style>{STYLE}</style><div class="uir">{body}</div>'


def rows_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str | Bar]]) -> str:
    """Return a table as HTML; all texts are escaped."""
    names = "".join(f"<th>{html.escape(name)}</th>" for name in head)
    lines = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    caption = f"<div>{html.escape(title)}</div>" if title else ""
    return f"{caption}<table><thead><tr>{names}</tr></thead><tbody>{lines}</tbody></table>"


def _cell(value: str | Bar) -> str:
    if isinstance(value, str):
        return f"<td>{html.escape(value)}</td>"
    width = round(_BAR_WIDTH * min(max(value.share, 0.0), 1.0))
    bar = f'<span class="bar" style="width: {width}px"></span>'
    return f"<td>{bar}{html.escape(value.text)}</td>"
