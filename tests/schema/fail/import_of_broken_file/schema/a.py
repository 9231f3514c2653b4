"""Nodes."""

from tschema import Object, declare


@declare
class ANode(Object)
