/*!
 * \file traversal_hooks.cc
 * \brief tvm-ffi's visit and mutate hooks, driven by the table of the object's type.
 *
 * The rules are those of tvm-ffi's reflected traversal: ignored fields are left out, a field that
 * binds is entered in its definition region, the fields of a variable that a simple region binds
 * are uses, and what became of variables and DAG nodes is remembered by the mutator.
 */
#include "./traversal_hooks.h"

#include <tschema/tvm_ffi_compat.h>

#if TSCHEMA_FFI_HAS_MUTATE
#include <tschema/copy.h>
#include <tschema/type_info.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/expected.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/extra/structural_visit.h>

#include <exception>
#include <utility>

#include "../reflection/attrs.h"
#include "../reflection/field_value.h"

namespace tschema {
namespace {

using ffi::detail::AnyUnsafe;
using ffi::detail::ExpectedUnsafe;

const ffi::Object* ObjectOrNull(ffi::AnyView value) {
  return AnyUnsafe::RawObjectPtrFromAnyViewAfterCheck<const ffi::Object>(value);
}

/*! \brief A field's value, which `kept` owns if a getter makes it. */
ffi::AnyView ReadFieldView(const FieldInfo& field, const ffi::Object* object, ffi::Any* kept) {
  if (__builtin_expect(field.kind != FieldKind::kForeign, 1)) {
    return ffi::AnyView::CopyFromTVMFFIAny(ReadField(field, object));
  }
  *kept = field.Read(object);
  return *kept;
}

/*! \brief Run `body` for a field in the region that the field opens. */
template <typename Traversal, typename Body>
TVMFFIAny InRegionOf(const FieldInfo& field, Traversal* traversal, Body body) {
  TVMFFIDefRegionKind region = RegionOf(field);
  if (__builtin_expect(region == kTVMFFIDefRegionKindNone, 1)) return body();
  return traversal->WithDefRegionKind(region, body);
}

/*! \brief Run `body` for the fields of an object: those of a variable that is bound are uses. */
template <typename Traversal, typename Body>
TVMFFIAny InRegionOfFields(const TypeInfo& info, Traversal* traversal, Body body) {
  if (__builtin_expect(info.structural_kind == kTVMFFISEqHashKindFreeVar, 0) &&
      traversal->def_region_kind() == kTVMFFIDefRegionKindSimple) {
    return traversal->WithDefRegionKind(kTVMFFIDefRegionKindNone, body);
  }
  return body();
}

TVMFFIAny RawError(const std::exception& exception) {
  auto* error = dynamic_cast<const ffi::Error*>(&exception);
  return ExpectedUnsafe::MoveToTVMFFIAny(ffi::Expected<ffi::Any>(ffi::Unexpected(
      error != nullptr ? *error : ffi::Error("InternalError", exception.what(), ""))));
}

// Visit.

TVMFFIAny VisitFields(ffi::StructuralVisitorObj* visitor, const TypeInfo& info,
                      const ffi::Object* object) {
  for (const FieldInfo& field : info.fields) {
    if (field.ignored) continue;
    ffi::Any kept;
    ffi::AnyView value = ReadFieldView(field, object, &kept);
    TVMFFIAny result = InRegionOf(field, visitor, [&] {
      return ExpectedUnsafe::MoveToTVMFFIAny(visitor->VisitExpected(value));
    });
    if (ffi::detail::StructuralVisitRawNeedEarlyReturn(result)) return result;
  }
  return TVMFFIAny{};
}

/*! \brief The hook `__s_visit__` of every type. */
TVMFFIAny Visit(ffi::StructuralVisitorObj* visitor, ffi::AnyView value) noexcept {
  try {
    const ffi::Object* object = ObjectOrNull(value);
    const TypeInfo& info = TypeInfoOf(object);
    return InRegionOfFields(info, visitor, [&] { return VisitFields(visitor, info, object); });
  } catch (const std::exception& exception) {
    return RawError(exception);
  }
}

// Mutate.

/*! \brief An object that is being mutated: in place, or as a copy once something has changed. */
class Target {
 public:
  Target(const ffi::Object* object, ffi::InplaceMode mode) : object_(object) {
    if (mode == ffi::InplaceMode::kAllow) written_ = const_cast<ffi::Object*>(object);
  }

  void Write(const FieldInfo& field, ffi::AnyView value) {
    if (written_ == nullptr) {
      copy_ = ShallowCopy(object_);
      written_ = copy_.get();
    }
    field.Write(written_, value);
    is_changed_ = true;
  }

  /*! \brief The copy, complete, or the mark that the object stays. */
  TVMFFIAny Finish(const TypeInfo& info) && {
    if (is_changed_ && info.hooks.post_init != nullptr) info.hooks.post_init(written_);
    if (copy_ == nullptr) return ffi::Unchanged().CopyToTVMFFIAny();
    return AnyUnsafe::MoveAnyToTVMFFIAny(ffi::Any(ffi::ObjectRef(std::move(copy_))));
  }

 private:
  const ffi::Object* object_;
  ffi::ObjectPtr<ffi::Object> copy_;
  ffi::Object* written_ = nullptr;
  bool is_changed_ = false;
};

TVMFFIAny MutateFields(ffi::StructuralMutatorObj* mutator, const TypeInfo& info,
                       const ffi::Object* object, ffi::InplaceMode mode) {
  Target target(object, mode);
  for (const FieldInfo& field : info.fields) {
    if (field.ignored) continue;
    ffi::Any kept;
    ffi::AnyView value = ReadFieldView(field, object, &kept);
    TVMFFIAny raw = InRegionOf(field, mutator, [&] {
      return ExpectedUnsafe::MoveToTVMFFIAny(mutator->MutateExpected(value, mode));
    });
    if (raw.type_index == kTVMFFIUnchanged) continue;
    if (raw.type_index == kTVMFFIError) return raw;
    ffi::Any result = AnyUnsafe::MoveTVMFFIAnyRawToAny(raw);
    if (!value.same_as(result)) target.Write(field, result);
  }
  return std::move(target).Finish(info);
}

TVMFFIAny MutateBody(ffi::StructuralMutatorObj* mutator, const TypeInfo& info,
                     const ffi::Object* object, ffi::InplaceMode mode) {
  return InRegionOfFields(info, mutator, [&] { return MutateFields(mutator, info, object, mode); });
}

/*! \brief The hooks `__s_mutate__` of most types and `__s_maybe_inplace_mutate__`. */
template <ffi::InplaceMode kMode>
TVMFFIAny Mutate(ffi::StructuralMutatorObj* mutator, ffi::AnyView value) noexcept {
  try {
    const ffi::Object* object = ObjectOrNull(value);
    return MutateFields(mutator, TypeInfoOf(object), object, kMode);
  } catch (const std::exception& exception) {
    return RawError(exception);
  }
}

/*! \brief Mutate a variable or DAG node that is met first, and remember the result. */
TVMFFIAny MutateAndRemember(ffi::StructuralMutatorObj* mutator, const TypeInfo& info,
                            ffi::AnyView value) {
  TVMFFIAny raw = MutateBody(mutator, info, ObjectOrNull(value), ffi::InplaceMode::kDisallow);
  if (raw.type_index == kTVMFFIError) return raw;
  // An unchanged simple definition needs no entry: a use without one is unchanged too.
  bool is_unchanged = raw.type_index == kTVMFFIUnchanged;
  if (is_unchanged && info.structural_kind == kTVMFFISEqHashKindFreeVar &&
      mutator->def_region_kind() != kTVMFFIDefRegionKindPattern) {
    return raw;
  }
  ffi::Any result = AnyUnsafe::MoveTVMFFIAnyRawToAny(raw);
  ffi::Expected<void> is_set = mutator->VarRemapSetExpected(value, result);
  if (is_set.is_err()) throw std::move(is_set).error();
  return AnyUnsafe::MoveAnyToTVMFFIAny(std::move(result));
}

/*! \brief The hook `__s_mutate__` of variables and of nodes whose sharing counts. */
TVMFFIAny MutateOnce(ffi::StructuralMutatorObj* mutator, ffi::AnyView value) noexcept {
  try {
    ffi::Expected<ffi::Any> known = mutator->VarRemapGetExpected(value);
    if (known.is_err() || ExpectedUnsafe::GetData(known) != nullptr) {
      return ExpectedUnsafe::MoveToTVMFFIAny(std::move(known));
    }
    const TypeInfo& info = TypeInfoOf(ObjectOrNull(value));
    bool is_use = info.structural_kind == kTVMFFISEqHashKindFreeVar &&
                  mutator->def_region_kind() == kTVMFFIDefRegionKindNone;
    if (is_use) return ffi::Unchanged().CopyToTVMFFIAny();
    return MutateAndRemember(mutator, info, value);
  } catch (const std::exception& exception) {
    return RawError(exception);
  }
}

template <typename Hook>
void SetHook(int32_t type_index, const char* name, Hook* hook) {
  SetTypeAttr(type_index, name, reinterpret_cast<void*>(hook));
}

}  // namespace

void RegisterTraversalHooks(int32_t type_index, TVMFFISEqHashKind kind, bool has_post_init) {
  bool is_once = kind == kTVMFFISEqHashKindFreeVar || kind == kTVMFFISEqHashKindDAGNode;
  SetHook(type_index, "__s_visit__", &Visit);
  SetHook(type_index, "__s_mutate__", is_once ? &MutateOnce : &Mutate<ffi::InplaceMode::kDisallow>);
  if (is_once || has_post_init) return;
  SetHook(type_index, "__s_maybe_inplace_mutate__", &Mutate<ffi::InplaceMode::kAllow>);
}

}  // namespace tschema

#else  // tvm-ffi's own traversal finds the fields by reflection.

namespace tschema {

void RegisterTraversalHooks(int32_t, TVMFFISEqHashKind, bool) {}

}  // namespace tschema

#endif
