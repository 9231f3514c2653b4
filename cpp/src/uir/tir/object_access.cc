// Reads of the fields of objects, and the types of references.
#include <tschema/structural_equal.h>
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/const_fold.h>
#include <uir/tir/expr.h>
#include <uir/tir/object_access.h>
#include <uir/tir/object_layout.h>
#include <uir/tir/op.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace uir::tir {

namespace {

using ir::PrimExpr;
using Span = ffi::Optional<ir::Span>;

/*! \brief The prefixes of the storage scopes of types of references. */
constexpr std::string_view kReference = "object:";
constexpr std::string_view kNullable = "nullable_object:";

void CheckReference(const char* name, const PrimExpr& object) {
  if (ir::IsHandle(object->dtype)) return;
  TVM_FFI_THROW(TypeError) << name << ": operand `object` must be a `handle`, got `"
                           << object->dtype << "` (object = " << ir::describe(object) << ")";
}

ffi::String TextOf(const PrimExpr& expr) {
  const auto* text = expr.as<ir::StringImmNode>();
  return text == nullptr ? ffi::String() : text->value;
}

/*! \brief The name of the operator that an expression calls, without its dialect. */
std::string_view IntrinsicOf(const PrimExpr& expr) {
  const auto* call = expr.as<CallNode>();
  const auto* op = call == nullptr ? nullptr : call->op.as<ir::OpNode>();
  if (op == nullptr) return {};
  const std::string_view name(op->name.data(), op->name.size());
  return name.substr(0, 4) == "tir." ? name.substr(4) : std::string_view();
}

/*! \brief The type of a field; None if the type is not registered or lacks the field. */
ffi::Optional<ObjectType> TypeOfField(const ffi::String& type_key, const ffi::String& field) {
  try {
    return FindObjectField(type_key, field).type;
  } catch (const ffi::Error&) {
    return std::nullopt;
  }
}

}  // namespace

ir::PointerType reference_to(ffi::String key, bool nullable) {
  const std::string scope = std::string(nullable ? kNullable : kReference) + std::string(key);
  return ir::PointerType(ir::PrimType(ir::kVoid), scope);
}

ffi::Optional<ObjectType> ObjectTypeOf(const ffi::Optional<ir::Type>& type) {
  const auto* pointer = type.has_value() ? type.value().as<ir::PointerTypeNode>() : nullptr;
  if (pointer == nullptr) return std::nullopt;
  const std::string_view scope(pointer->storage_scope.data(), pointer->storage_scope.size());
  for (const std::string_view prefix : {kReference, kNullable}) {
    if (scope.substr(0, prefix.size()) != prefix) continue;
    return ObjectType(std::string(scope.substr(prefix.size())), prefix == kNullable);
  }
  return std::nullopt;
}

PrimExpr get_field(PrimExpr object, ffi::String field, ffi::Optional<DLDataType> dtype, Span span) {
  CheckReference("get_field", object);
  if (!dtype.has_value()) {
    const ffi::Optional<ObjectType> type = object_type_of(object);
    if (!type.has_value()) {
      TVM_FFI_THROW(TypeError)
          << "get_field: the type of " << ir::describe(object)
          << " is not known; bind it to a variable that `reference_to` annotates";
    }
    dtype = FindObjectField(type.value()->key, field).dtype;
  }
  return call_intrin(dtype.value(), "tir.get_field",
                     {std::move(object), ir::StringImm(std::move(field))}, std::move(span));
}

PrimExpr object_field(PrimExpr object, ffi::String type_key, ffi::String field,
                      ffi::Optional<int64_t> offset, ffi::Optional<DLDataType> dtype, Span span) {
  CheckReference("object_field", object);
  const ObjectField found = FindObjectField(type_key, field);
  if (offset.value_or(found.offset) != found.offset) {
    TVM_FFI_THROW(TypeError) << "object_field: field `" << field << "` of `" << type_key
                             << "` is at byte " << found.offset << ", not " << offset.value();
  }
  if (dtype.value_or(found.dtype) != found.dtype) {
    TVM_FFI_THROW(TypeError) << "object_field: field `" << field << "` of `" << type_key
                             << "` is a `" << found.dtype << "`, not a `" << dtype.value() << "`";
  }
  return call_intrin(found.dtype, "tir.object_field",
                     {std::move(object), ir::StringImm(std::move(type_key)),
                      ir::StringImm(std::move(field)), ir::IntImm(ir::IntType(64), found.offset)},
                     std::move(span));
}

ffi::Optional<ObjectType> object_type_of(PrimExpr expr) {
  if (const auto* var = expr.as<VarNode>()) {
    return ObjectTypeOf(var->type_annotation);
  }
  const std::string_view name = IntrinsicOf(expr);
  const auto* call = expr.as<CallNode>();
  if (name == "get_field") {
    const ffi::Optional<ObjectType> owner = object_type_of(call->args[0]);
    if (!owner.has_value()) return std::nullopt;
    return TypeOfField(owner.value()->key, TextOf(call->args[1]));
  }
  if (name == "object_field") return TypeOfField(TextOf(call->args[1]), TextOf(call->args[2]));
  if (name == "if_then_else" && IntrinsicOf(call->args[0]) == "isnullptr") {
    // A choice between null and a non-null object, as `LowerObjectFields` makes it.
    const PrimExpr tested = call->args[0].as<CallNode>()->args[0];
    const ffi::Optional<ObjectType> type = object_type_of(call->args[2]);
    if (!type.has_value() || !tschema::StructuralEqual(tested, call->args[1])) return std::nullopt;
    return ObjectType(type.value()->key, true);
  }
  if (name == "as_object") return ObjectType(TextOf(call->args[1]));
  return std::nullopt;
}

}  // namespace uir::tir
