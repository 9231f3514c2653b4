"""A field with a name that Python reserves."""

from tschema import Object, declare, ty


@declare
class PupilNode(Object):
    """A pupil."""

    type_key = "toy.Pupil"
    class: ty.int64_t
