// Lookup of types by key, and of subtypes, in the table of tvm-ffi.
#include "./type_lookup.h"

#include <tschema/type_key.h>
#include <tvm/ffi/object.h>

namespace uir::transform {

namespace ffi = ::tvm::ffi;

int32_t TypeIndexOf(const ffi::String& type_key) {
  return tschema::FindTypeIndex({type_key.data(), type_key.size()}).value_or(-1);
}

bool IsBelow(int32_t type_index, int32_t ancestor_index) {
  if (type_index == ancestor_index) return true;
  const ffi::TypeInfo* info = TVMFFIGetTypeInfo(type_index);
  const ffi::TypeInfo* ancestor = TVMFFIGetTypeInfo(ancestor_index);
  return info->type_depth > ancestor->type_depth &&
         info->type_ancestors[ancestor->type_depth] == ancestor;
}

}  // namespace uir::transform
