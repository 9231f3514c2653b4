"""A compiler core in which C++, Python and Rust share every node as one object."""

from . import arith, ir, relay, script, te, tir, transform

__all__ = ["arith", "ir", "relay", "script", "te", "tir", "transform"]
