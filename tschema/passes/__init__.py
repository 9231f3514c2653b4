"""The passes: declarations to the JSON IR, checked, resolved and laid out."""

from tschema.passes.build import build_schema

__all__ = ["build_schema"]
