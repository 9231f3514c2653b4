"""Declares nothing, and is left out."""
