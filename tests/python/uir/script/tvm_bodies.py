"""Bodies of functions that users of TVM write, below one header."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from uir import ir, script
from uir.script import ScriptError

__all__ = ["in_function"]


def in_function(
    header: str,
) -> tuple[Callable[[str], str], Callable[[str, str], None], Callable[[str], str]]:
    """Return functions that put a body below a header, compare two bodies, and give an error."""

    def function(body: str) -> str:
        return header + indent(dedent(body).strip("\n").rstrip(), "    ")

    def check(body: str, canonical: str) -> None:
        """Both bodies are one function, and the canonical one is what it prints."""
        parsed = script.parse_value(function(body))
        assert script.print(parsed) == function(canonical)
        assert ir.structural_equal(script.parse_value(function(canonical)), parsed)

    def error(body: str) -> str:
        with pytest.raises(ScriptError) as caught:
            script.parse_value(function(body))
        return str(caught.value)

    return function, check, error
