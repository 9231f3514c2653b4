/*!
 * \file visit_attrs.cc
 * \brief Visits the fields of an object by the table of its type.
 */
#include <tschema/type_info.h>
#include <tschema/visit_attrs.h>

#include <cstdint>
#include <type_traits>

namespace tschema {
namespace {

/*! \brief The name as C has it: tvm-ffi keeps it with a NUL behind. */
const char* NameOf(const FieldInfo& field) { return field.name.data(); }

void VisitForeign(const FieldInfo& field, ffi::Object* object, AttrVisitor* visitor) {
  ffi::Any value = field.Read(object);
  ffi::Any before = value;
  visitor->Visit(NameOf(field), &value);
  if (!value.same_as(before)) field.Write(object, value);
}

void VisitField(const FieldInfo& field, ffi::Object* object, AttrVisitor* visitor) {
  auto visit = [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    visitor->Visit(NameOf(field), &field.Get<T>(static_cast<void*>(object)));
  };
  switch (field.kind) {
    case FieldKind::kBool:
      return visit(static_cast<bool*>(nullptr));
    case FieldKind::kInt8:
      return visit(static_cast<int8_t*>(nullptr));
    case FieldKind::kInt16:
      return visit(static_cast<int16_t*>(nullptr));
    case FieldKind::kInt32:
    case FieldKind::kEnum:
      return visit(static_cast<int32_t*>(nullptr));
    case FieldKind::kInt64:
      return visit(static_cast<int64_t*>(nullptr));
    case FieldKind::kUInt8:
      return visit(static_cast<uint8_t*>(nullptr));
    case FieldKind::kUInt16:
      return visit(static_cast<uint16_t*>(nullptr));
    case FieldKind::kUInt32:
      return visit(static_cast<uint32_t*>(nullptr));
    case FieldKind::kUInt64:
      return visit(static_cast<uint64_t*>(nullptr));
    case FieldKind::kFloat32:
      return visit(static_cast<float*>(nullptr));
    case FieldKind::kFloat64:
      return visit(static_cast<double*>(nullptr));
    case FieldKind::kDataType:
      return visit(static_cast<DLDataType*>(nullptr));
    case FieldKind::kDevice:
      return visit(static_cast<DLDevice*>(nullptr));
    case FieldKind::kString:
      return visit(static_cast<ffi::String*>(nullptr));
    case FieldKind::kBytes:
      return visit(static_cast<ffi::Bytes*>(nullptr));
    case FieldKind::kAny:
      return visit(static_cast<ffi::Any*>(nullptr));
    case FieldKind::kObject:
      return visit(static_cast<ffi::ObjectRef*>(nullptr));
    case FieldKind::kForeign:
      return VisitForeign(field, object, visitor);
  }
}

}  // namespace

void VisitAttrs(ffi::Object* object, AttrVisitor* visitor) {
  const TypeInfo& info = TypeInfoOf(object);
  if (info.hooks.visit != nullptr) return info.hooks.visit(object, visitor);
  if ((info.hooks.custom & kCustomVisitAttrs) != 0) return;
  for (const FieldInfo& field : info.fields) VisitField(field, object, visitor);
}

}  // namespace tschema
