/*!
 * \file structural_attrs.cc
 * \brief Registers hand-written structural methods with tvm-ffi's own engines.
 */
#include "./structural_attrs.h"

#include <tschema/structural.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <string>

#include "../reflection/attrs.h"
#include "./mismatch.h"
#include "./structural_descriptor.h"

namespace tschema {

namespace {

/*! \brief Asks tvm-ffi's engine about each part, which answers at once. */
class ForeignEqualSink final : public detail::EqualSink {
 public:
  ForeignEqualSink(const ffi::Object* self, const ffi::Function& compare)
      : self_(self), compare_(compare) {}

  bool Compare(const TVMFFIAny& lhs, const TVMFFIAny& rhs, TVMFFIDefRegionKind region,
               const void* where) final {
    ++num_parts_;
    return compare_(ffi::AnyView::CopyFromTVMFFIAny(lhs), ffi::AnyView::CopyFromTVMFFIAny(rhs),
                    static_cast<int>(region), PartName(where))
        .cast<bool>();
  }

  bool MarkFreeVar(const ffi::Object*, const ffi::Object*) final {
    CheckIsVar(TypeInfoOf(self_));
    return true;
  }

 private:
  /*! \brief The name of the field, or the number of the part if it is not a field. */
  ffi::String PartName(const void* where) const {
    const FieldInfo* field = FieldAt(self_, where);
    if (field == nullptr) return "SEqualReduce[" + std::to_string(num_parts_ - 1) + "]";
    return ffi::String(field->name.data(), field->name.size());
  }

  const ffi::Object* self_;
  const ffi::Function& compare_;
  int num_parts_ = 0;
};

/*! \brief Lets tvm-ffi's engine combine each part. */
class ForeignHashSink final : public detail::HashSink {
 public:
  ForeignHashSink(const ffi::Object* self, int64_t hash, const ffi::Function& combine)
      : self_(self), hash_(hash), combine_(combine) {}

  int64_t hash() const { return hash_; }

  void Combine(const TVMFFIAny& value, TVMFFIDefRegionKind region, const void*) final {
    hash_ = combine_(ffi::AnyView::CopyFromTVMFFIAny(value), hash_, static_cast<int>(region))
                .cast<int64_t>();
  }

  void MarkFreeVar(const ffi::Object*) final { CheckIsVar(TypeInfoOf(self_)); }

 private:
  const ffi::Object* self_;
  int64_t hash_;
  const ffi::Function& combine_;
};

ffi::Function EqualMethod(const TypeHooks& hooks) {
  return ffi::Function::FromTyped([method = hooks.equal](const ffi::Object* lhs,
                                                         const ffi::Object* rhs,
                                                         const ffi::Function& compare) -> bool {
    if (method == nullptr) ThrowNotStructural(TypeInfoOf(lhs), "compared");
    ForeignEqualSink sink(lhs, compare);
    return method(lhs, rhs, SEqualReducer(&sink));
  });
}

ffi::Function HashMethod(const TypeHooks& hooks) {
  return ffi::Function::FromTyped([method = hooks.hash](const ffi::Object* self, int64_t hash,
                                                        const ffi::Function& combine) -> int64_t {
    if (method == nullptr) ThrowNotStructural(TypeInfoOf(self), "hashed");
    ForeignHashSink sink(self, hash, combine);
    method(self, SHashReducer(&sink));
    return sink.hash();
  });
}

}  // namespace

void RegisterStructuralAttrs(int32_t type_index, const TypeHooks& hooks) {
  if ((hooks.custom & kCustomSEqualReduce) != 0) {
    SetTypeAttr(type_index, kSEqualAttr, EqualMethod(hooks));
  }
  if ((hooks.custom & kCustomSHashReduce) != 0) {
    SetTypeAttr(type_index, kSHashAttr, HashMethod(hooks));
  }
}

}  // namespace tschema
