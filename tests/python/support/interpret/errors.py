"""What a program may not do."""

from __future__ import annotations

__all__ = ["Undefined"]


class Undefined(Exception):
    """The program has no meaning: it leaves memory, reads what was never written, divides by 0."""
