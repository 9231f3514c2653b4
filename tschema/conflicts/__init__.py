"""Conflicts of git in files with blocks: their hunks, and merging of three versions."""
