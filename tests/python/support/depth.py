"""How many times the usual number of random examples a test draws; `make test-deep` sets it."""

from __future__ import annotations

import os

__all__ = ["DEPTH"]

DEPTH = int(os.environ.get("TSCHEMA_DEPTH", "1"))
