"""The front end: schema files to declarations, by Python's own parser; nothing is executed."""

from tschema.frontend.parse import parse_schema

__all__ = ["parse_schema"]
