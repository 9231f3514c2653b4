"""Which texts of an editor are script."""

from __future__ import annotations

import re

__all__ = ["is_script"]

LANGUAGE = "uir-script"
"""What editors call the language of files `.uir`."""

_DEFINITION = re.compile(r"^@(?:\w+\.)*(?:ir_module|prim_func|function)\b", re.MULTILINE)
_IMPORT = re.compile(r"^(?:import|from)[ \t]", re.MULTILINE)


def is_script(text: str, language: str | None, path: str) -> bool:
    """Return whether a text is script by itself, and no program of Python that holds some.

    Python needs an import for the decorators of script, whereas a printed module has none.
    """
    if language == LANGUAGE or path.endswith(".uir"):
        return True
    return _DEFINITION.search(text) is not None and _IMPORT.search(text) is None
