/*!
 * \file structural_hash.cc
 * \brief Structural hash of values.
 */
#include <tschema/structural_hash.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/function.h>

#include "../support/global_function.h"
#include "./hash_engine.h"

namespace tschema {

namespace {

/*! \brief The hash as the FFI carries it: the same bits, signed. */
int64_t SignedHash(ffi::AnyView value, bool map_free_vars) {
  return static_cast<int64_t>(StructuralHash(value, map_free_vars));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.structural_hash", ffi::Function::FromTyped(SignedHash));
}

}  // namespace

uint64_t StructuralHash(ffi::AnyView value, bool map_free_vars) {
  // A view may refer to text that is not a value yet.
  ffi::Any owned = value;
  HashEngine engine(map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone);
  return engine.Hash(RawOf(owned));
}

}  // namespace tschema
