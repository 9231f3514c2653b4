from tschema import Object, declare, function, method, ty


@declare
class Kind(ty.IntEnum):
    ONE = 1


@declare
class FooNode(Object):
    type_key = "toy.Foo"
    value: int

    @method
    def size(self) -> int: ...


@function
def make() -> FooNode: ...
