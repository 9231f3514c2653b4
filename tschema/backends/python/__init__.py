"""The Python backend: typed wrapper classes, enums and `_ffi_api` stubs."""
