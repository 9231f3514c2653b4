"""The rows of `kernels.py`, a module for each family of kernels, and what these share."""
