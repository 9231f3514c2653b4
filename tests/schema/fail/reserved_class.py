"""Nodes."""

from tschema import Object, declare


@declare
class NULL(Object):
    """A node."""

    type_key = "toy.Thing"


@declare
class SelfNode(Object):
    """A node."""

    type_key = "toy.Self"


@declare
class OptionNode(Object):
    """A node."""

    type_key = "toy.Option"


@declare
class stdNode(Object):
    """A node."""

    type_key = "toy.std"
