"""The command `uir`, a module for each of its commands."""

from .main import main

__all__ = ["main"]
