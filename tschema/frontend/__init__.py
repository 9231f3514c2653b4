"""The front end: schema files to declarations, by Python's own parser; nothing is executed."""

from tschema.frontend.files import SchemaFile, read_files
from tschema.frontend.parse import parse_files, parse_schema

__all__ = ["SchemaFile", "parse_files", "parse_schema", "read_files"]
