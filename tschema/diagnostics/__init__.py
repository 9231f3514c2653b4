"""Diagnostics: codes, messages, places in source files, and explanations."""
