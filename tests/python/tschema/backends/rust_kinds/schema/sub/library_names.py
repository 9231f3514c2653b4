"""Classes that are called as those of tvm-ffi and of Rust's prelude."""

from tschema import Object, declare, ty
from tschema.ty import Optional


@declare
class StringNode(Object):
    """A node."""

    type_key = "kinds.sub.String"
    own_string: ty.String


@declare
class ArrayNode(Object):
    """A node."""

    type_key = "kinds.sub.Array"
    one_string: Optional[StringNode]
    own_array: ty.String


@declare
class MapNode(Object):
    """A node."""

    type_key = "kinds.sub.Map"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    own_map: ty.String


@declare
class ObjectNode(Object):
    """A node."""

    type_key = "kinds.sub.Object"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    own_object: ty.String


@declare
class ObjectRefNode(Object):
    """A node."""

    type_key = "kinds.sub.ObjectRef"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    one_object: Optional[ObjectNode]
    own_objectref: ty.String


@declare
class FunctionNode(Object):
    """A node."""

    type_key = "kinds.sub.Function"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    one_object: Optional[ObjectNode]
    one_objectref: Optional[ObjectRefNode]
    own_function: ty.String


@declare
class AnyNode(Object):
    """A node."""

    type_key = "kinds.sub.Any"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    one_object: Optional[ObjectNode]
    one_objectref: Optional[ObjectRefNode]
    one_function: Optional[FunctionNode]
    own_any: ty.String


@declare
class OptionNode(Object):
    """A node."""

    type_key = "kinds.sub.Option"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    one_object: Optional[ObjectNode]
    one_objectref: Optional[ObjectRefNode]
    one_function: Optional[FunctionNode]
    one_any: Optional[AnyNode]
    own_option: ty.String


@declare
class VecNode(Object):
    """A node."""

    type_key = "kinds.sub.Vec"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    one_object: Optional[ObjectNode]
    one_objectref: Optional[ObjectRefNode]
    one_function: Optional[FunctionNode]
    one_any: Optional[AnyNode]
    one_option: Optional[OptionNode]
    own_vec: ty.String


@declare
class BoxNode(Object):
    """A node."""

    type_key = "kinds.sub.Box"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    one_object: Optional[ObjectNode]
    one_objectref: Optional[ObjectRefNode]
    one_function: Optional[FunctionNode]
    one_any: Optional[AnyNode]
    one_option: Optional[OptionNode]
    one_vec: Optional[VecNode]
    own_box: ty.String


@declare
class ResultNode(Object):
    """A node."""

    type_key = "kinds.sub.Result"
    one_string: Optional[StringNode]
    one_array: Optional[ArrayNode]
    one_map: Optional[MapNode]
    one_object: Optional[ObjectNode]
    one_objectref: Optional[ObjectRefNode]
    one_function: Optional[FunctionNode]
    one_any: Optional[AnyNode]
    one_option: Optional[OptionNode]
    one_vec: Optional[VecNode]
    one_box: Optional[BoxNode]
    own_result: ty.String
