/*!
 * \file acceptance.cc
 * \brief Whether values are of the types that fields declare.
 */
#include "./acceptance.h"

#include <tvm/ffi/container/map_base.h>
#include <tvm/ffi/container/seq_base.h>

#include <algorithm>

#include "../reflection/field_value.h"

namespace tschema {
namespace {

using Kind = TypeExpr::Kind;

bool IsInstance(int32_t type_index, int32_t expected) {
  if (type_index == expected) return true;
  if (type_index < kTVMFFIStaticObjectBegin) return false;
  if (expected == kTVMFFIObject) return true;
  const TVMFFITypeInfo* type = TypeInfoOf(type_index).reflected;
  int32_t depth = TypeInfoOf(expected).reflected->type_depth;
  return type->type_depth > depth && type->type_ancestors[depth]->type_index == expected;
}

ffi::AnyView ViewOf(const TVMFFIAny& value) { return ffi::AnyView::CopyFromTVMFFIAny(value); }

bool IsMapping(Kind kind) { return kind == Kind::kMap || kind == Kind::kDict; }

size_t SizeOf(const TypeExpr& type, const TVMFFIAny& value) {
  const auto* object = reinterpret_cast<const ffi::Object*>(value.v_obj);
  if (IsMapping(type.kind)) return static_cast<const ffi::MapBaseObj*>(object)->size();
  return static_cast<const ffi::SeqBaseObj*>(object)->size();
}

}  // namespace

bool Acceptance::Accepts(const TypeExpr& type, const TVMFFIAny& value) {
  switch (type.kind) {
    case Kind::kObject:
      return IsInstance(value.type_index, type.type_index);
    case Kind::kOptional:
      return value.type_index == kTVMFFINone || Accepts(type.arguments[0], value);
    case Kind::kArray:
    case Kind::kList:
    case Kind::kMap:
    case Kind::kDict:
      return value.type_index == type.type_index && AcceptsContainer(type, value);
    case Kind::kTuple:
      return value.type_index == kTVMFFIArray && SizeOf(type, value) == type.arguments.size() &&
             AcceptsContainer(type, value);
    case Kind::kUnion:
      return std::any_of(type.arguments.begin(), type.arguments.end(),
                         [&](const TypeExpr& argument) { return Accepts(argument, value); });
    default:
      return type.Accepts(ViewOf(value));
  }
}

bool Acceptance::AcceptsContainer(const TypeExpr& type, const TVMFFIAny& value) {
  constexpr size_t kSmall = 4;
  bool takes_any = std::all_of(type.arguments.begin(), type.arguments.end(),
                               [](const TypeExpr& part) { return part.kind == Kind::kAny; });
  if (takes_any) return true;
  if (SizeOf(type, value) <= kSmall) return AcceptsParts(type, value);
  uint32_t next = static_cast<uint32_t>(known_.size());
  uint64_t hash = value.v_uint64 * 31 + reinterpret_cast<uintptr_t>(&type);
  uint32_t entry = index_.FindOrAdd(hash, next, [&](uint32_t known) {
    return RawOf(known_[known].container).v_obj == value.v_obj && known_[known].type == &type;
  });
  if (entry == next) {
    known_.push_back({ViewOf(value), &type, false});
    bool is_accepted = AcceptsParts(type, value);
    known_[entry].is_accepted = is_accepted;
  }
  return known_[entry].is_accepted;
}

bool Acceptance::AcceptsParts(const TypeExpr& type, const TVMFFIAny& value) {
  const auto* object = reinterpret_cast<const ffi::Object*>(value.v_obj);
  if (IsMapping(type.kind)) {
    for (const auto& [key, mapped] : *static_cast<const ffi::MapBaseObj*>(object)) {
      if (!Accepts(type.arguments[0], RawOf(key))) return false;
      if (!Accepts(type.arguments[1], RawOf(mapped))) return false;
    }
    return true;
  }
  const auto* sequence = static_cast<const ffi::SeqBaseObj*>(object);
  const TypeExpr* part = type.arguments.data();
  for (const ffi::Any& element : *sequence) {
    if (!Accepts(*part, RawOf(element))) return false;
    if (type.kind == Kind::kTuple) ++part;
  }
  return true;
}

}  // namespace tschema
