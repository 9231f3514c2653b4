"""A compiler core in which C++, Python and Rust share every node as one object."""

from . import arith, ir, script, te, tir, transform

__all__ = ["arith", "ir", "script", "te", "tir", "transform"]
