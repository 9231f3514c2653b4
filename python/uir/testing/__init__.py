"""Tools for those who test compilers: programs that show a fault, made as small as they can be."""

from .reduce import reduce

__all__ = ["reduce"]
