"""Rows of users for the table of parameters."""

from __future__ import annotations

import os
from typing import Any

from . import _ffi_api

__all__ = ["read_rows"]


def read_rows(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    """Read rows of parameters from a file.

    Parameters
    ----------
    path
        A file of JSON: an array of objects, each a row as `ScheduleOptions.rows` has them.

    Returns
    -------
    rows
        The rows, which were checked.

    Raises
    ------
    ValueError
        If the file cannot be read, is not such an array, or a row is wrong.
    """
    return [{str(name): row[name] for name in row} for row in _ffi_api.read_rows(os.fspath(path))]
