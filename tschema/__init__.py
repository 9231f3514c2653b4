"""Declare IR nodes once, use them from C++, Python and Rust."""

from tschema.dsl import Object, declare, field, function, method, ty

__all__ = ["Object", "__version__", "declare", "field", "function", "method", "ty"]

__version__ = "0.1.0"
