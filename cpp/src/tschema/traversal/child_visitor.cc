/*!
 * \file child_visitor.cc
 * \brief Visits what nodes hold, without a reference counted.
 */
#include <tschema/functor.h>

#include "./walked_type.h"

namespace tschema {

void ChildVisitor::VisitChildren(const ffi::Object* node) {
  for (const detail::WalkedField& field : family().WalkOf(node).fields) {
    switch (field.field->kind) {
      case FieldKind::kObject: {
        TVMFFIObject* const& pointer = field.field->Get<TVMFFIObject*>(node);
        if (pointer != nullptr) VisitValue(field, AsRef(&pointer));
        break;
      }
      case FieldKind::kAny: {
        const TVMFFIAny& value = field.field->Get<TVMFFIAny>(node);
        if (IsEntered(value)) VisitValue(field, AsRef(&value.v_obj));
        break;
      }
      default: {
        ffi::Any value = field.field->Read(node);
        if (auto object = value.as<ffi::ObjectRef>()) VisitValue(field, *object);
      }
    }
  }
}

void ChildVisitor::VisitValue(const detail::WalkedField& field, const ffi::ObjectRef& value) {
  int root = family().RootOf(value.get());
  if (family().HasMethods(root)) return VisitMember(root, value);
  if (!EnoughStack()) return RunOnNewStack([&] { VisitValue(field, value); });
  if (root >= 0) return VisitChildren(value.get());
  if (IsSequence(value->type_index())) return VisitElements(field, value.get());
  if (IsMapping(value->type_index())) return VisitEntries(field, value.get());
  VisitObject(field, value);
}

void ChildVisitor::VisitObject(const detail::WalkedField& field, const ffi::ObjectRef& value) {
  const TypeInfo& info = TypeInfoOf(value.get());
  if (StandsForItself(info) && !field.binds) return;
  if (family().IsPart(value.get())) return VisitPart(value.get());
  bool is_compared = info.structural_kind != kTVMFFISEqHashKindUnsupported;
  if (!field.is_known && is_compared) VisitChildren(value.get());
}

void ChildVisitor::VisitElements(const detail::WalkedField& field, const ffi::Object* sequence) {
  for (size_t index = 0; index < SizeOfSequence(sequence); ++index) {
    const TVMFFIAny& value = ElementsOf(sequence)[index];
    if (IsEntered(value)) VisitValue(field, AsRef(&value.v_obj));
  }
}

void ChildVisitor::VisitEntries(const detail::WalkedField& field, const ffi::Object* map) {
  auto visit = [&](const ffi::Any& any) {
    const TVMFFIAny& value = RawOf(any);
    if (IsEntered(value)) VisitValue(field, AsRef(&value.v_obj));
  };
  for (const auto& [key, item] : *MappingOf(map)) {
    visit(key);
    visit(item);
  }
}

}  // namespace tschema
