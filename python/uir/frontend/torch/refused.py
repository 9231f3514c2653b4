"""The operators of core ATen that are refused, and the reasons."""

from __future__ import annotations

__all__ = ["REFUSED"]

REFUSED: dict[str, str] = {}
