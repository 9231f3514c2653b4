"""Schema files from code that exists: `tschema import`.

In: a registry of tvm-ffi types, C++ headers, or both.  Out: schema files, and a list of the parts
that no schema can express.
"""
