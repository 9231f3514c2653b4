"""The project that a command works on.

In: the arguments.  Out: its configuration.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tschema.config import Config, find_config, load_config

__all__ = ["chosen_config"]


def chosen_config(options: argparse.Namespace) -> Config:
    """Return the configuration that the arguments name, or the nearest one.

    Raises
    ------
    SchemaError
        There is none, or it is wrong.
    """
    return load_config(options.config or find_config(Path.cwd()))
