"""A reference interpreter of tensor-level functions: slow, and plain to see right."""

from .errors import Undefined
from .function import run
from .memory import Address, Memory

__all__ = ["Address", "Memory", "Undefined", "run"]
