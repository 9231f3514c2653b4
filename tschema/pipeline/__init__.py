"""The flow of `tschema gen`, from a request to files."""
