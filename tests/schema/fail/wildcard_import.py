"""Nodes."""

from tschema import *
