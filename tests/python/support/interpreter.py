"""The reference interpreter that tests hold passes against: `run(func, *args)`."""

from .interpret import Address, Memory, Undefined, run

__all__ = ["Address", "Memory", "Undefined", "run"]
