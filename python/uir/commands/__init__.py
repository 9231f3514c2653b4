"""The command `uir`: `compile` writes a library, `run` runs one or a model."""

from .main import main

__all__ = ["main"]
