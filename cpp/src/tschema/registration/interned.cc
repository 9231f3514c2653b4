/*!
 * \file interned.cc
 * \brief Interned types: their registration with the engines and with tvm-ffi's serializer.
 */
#include <tschema/interned.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/function.h>

#include <optional>

#include "../reflection/attrs.h"

namespace tschema {
namespace {

ffi::Any FindByName(InternedFind find, ffi::AnyView data) {
  std::optional<ffi::String> name = data.try_cast<ffi::String>();
  if (!name) {
    TVM_FFI_THROW(TypeError) << "the name of an object is expected, not `" << data.GetTypeKey()
                             << "`";
  }
  return find(*name);
}

}  // namespace

namespace detail {

void RegisterInterned(int32_t type_index, InternedName name_of, InternedFind find) {
  // A second copy of the library that owns the type: the first one serves.
  if (IsInterned(type_index)) return;
  SetTypeAttr(type_index, kInternedAttr, true);
  SetTypeAttr(type_index, kDataToJsonAttr,
              ffi::Function::FromTyped(
                  [name_of](const ffi::Object* object) -> ffi::Any { return name_of(object); }));
  SetTypeAttr(type_index, kDataFromJsonAttr,
              ffi::Function::FromTyped(
                  [find](ffi::AnyView data) -> ffi::Any { return FindByName(find, data); }));
}

}  // namespace detail

bool IsInterned(int32_t type_index) { return GetTypeAttr(type_index, kInternedAttr) != nullptr; }

}  // namespace tschema
