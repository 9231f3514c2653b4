/*!
 * \file type_key.cc
 * \brief The one place that asks tvm-ffi for the index of a type key.
 */
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_key.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>

namespace tschema {

namespace ffi = ::tvm::ffi;

std::optional<int32_t> FindTypeIndex(std::string_view key) {
  const TVMFFIByteArray bytes{key.data(), key.size()};
  int32_t index = 0;
  if (TVMFFITypeKeyToIndex(&bytes, &index) == 0) return index;
  // tvm-ffi leaves an error that no caller takes.
  ffi::detail::MoveFromSafeCallRaised();
  return std::nullopt;
}

int32_t RequireTypeIndex(std::string_view key) {
  if (const std::optional<int32_t> index = FindTypeIndex(key)) return *index;
  TVM_FFI_THROW(ValueError) << "there is no type `" << key << "`; is its library loaded?";
  TVM_FFI_UNREACHABLE();
}

}  // namespace tschema
