"""The rows of `operators.py`, a module for each family of operators, and what these share."""
