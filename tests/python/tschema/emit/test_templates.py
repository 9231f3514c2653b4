"""Templates stay short and flat: what is decided is decided in views."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tschema.emit.render import templates_folder

TEMPLATES = sorted(templates_folder().rglob("*.jinja"))
LONGEST = 60
"""Lines."""
DEEPEST = 2
_COMPUTED = re.compile(r"{[{%][^}]*(?: ~ | \+ | - \w| if [^}]*}}|loop\.(?!last)|join\()")
"""Arithmetic, text that is put together, a choice inside a line."""
_TAG = re.compile(r"{%-?\s*(end)?(?:for|if|macro|call|filter|with)\b")


def _depth(text: str) -> int:
    """Return how deep the blocks of a template are nested."""
    depth = deepest = 0
    for end in _TAG.findall(text):
        depth += -1 if end else 1
        deepest = max(deepest, depth)
    return deepest


@pytest.mark.parametrize("text, depth", [
    ("", 0),
    ("{% if a %}{% for b in c %}{% endfor %}{% endif %}{% if d %}{% endif %}", 2),
    ("{% macro a() -%}{%- for b in c %}{% if d %}{% endif %}{% endfor %}{% endmacro %}", 3),
])  # fmt: skip
def test_the_depth_of_a_template(text: str, depth: int) -> None:
    assert _depth(text) == depth


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_template_is_short_and_flat(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    assert _depth(text) <= DEEPEST


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_template_computes_nothing(path: Path) -> None:
    assert not _COMPUTED.findall(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("line", [
    "{% for one in a + b %}", "{{ a ~ b }}", '{{ "x" if a }}', "{{ loop.index0 }}",
    '{{ a | join(", ") }}',
])  # fmt: skip
def test_what_computes_is_found(line: str) -> None:
    assert _COMPUTED.search(line)
