"""C++ headers and sources: the classes that they declare, by a parser without a compiler.

In: folders and files.  Out: records of their classes.
"""

from tschema.importer.headers.read import read_headers, read_texts

__all__ = ["read_headers", "read_texts"]
