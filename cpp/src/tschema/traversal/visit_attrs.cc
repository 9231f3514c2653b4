/*!
 * \file visit_attrs.cc
 * \brief Visits the fields of an object by the table of its type.
 */
#include <tschema/type_info.h>
#include <tschema/visit_attrs.h>

#include "../reflection/field_value.h"

namespace tschema {
namespace {

/*! \brief The name as a C string: tvm-ffi terminates names with a NUL. */
const char* NameOf(const FieldInfo& field) { return field.name.data(); }

void VisitForeign(const FieldInfo& field, ffi::Object* object, AttrVisitor* visitor) {
  ffi::Any value = field.Read(object);
  ffi::Any before = value;
  visitor->Visit(NameOf(field), &value);
  if (!value.same_as(before)) field.Write(object, value);
}

void VisitField(const FieldInfo& field, ffi::Object* object, AttrVisitor* visitor) {
  auto* base = static_cast<void*>(object);
  auto visit = [&](auto* value) { visitor->Visit(NameOf(field), value); };
  switch (field.kind) {
    case FieldKind::kFloat32:
      return visit(&field.Get<float>(base));
    case FieldKind::kFloat64:
      return visit(&field.Get<double>(base));
    case FieldKind::kDataType:
      return visit(&field.Get<DLDataType>(base));
    case FieldKind::kDevice:
      return visit(&field.Get<DLDevice>(base));
    case FieldKind::kString:
      return visit(&field.Get<ffi::String>(base));
    case FieldKind::kBytes:
      return visit(&field.Get<ffi::Bytes>(base));
    case FieldKind::kAny:
      return visit(&field.Get<ffi::Any>(base));
    case FieldKind::kObject:
      return visit(&field.Get<ffi::ObjectRef>(base));
    case FieldKind::kForeign:
      return VisitForeign(field, object, visitor);
    default:
      return VisitInteger(field, base, visit);
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
