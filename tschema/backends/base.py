"""What every backend hands over: text for paths.

A backend reads the JSON IR and its own target's settings, and knows neither files that exist
nor formatters.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

__all__ = ["Language", "OutputFile"]

Language = Literal["cpp", "python", "rust", "docs", "json"]


@dataclass(frozen=True)
class OutputFile:
    """A file as a backend emits it: unformatted, its custom regions empty, its digests bare."""

    path: PurePosixPath
    """Relative to the project's root."""
    language: Language
    text: str
    """With LF line ends; where it has blocks, their `end` markers carry no digest."""
