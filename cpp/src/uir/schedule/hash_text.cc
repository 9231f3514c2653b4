// Structural hashes as text.
#include "./hash_text.h"

#include <tschema/structural_hash.h>

#include <cstdint>

namespace uir::schedule {

std::string HashText(const ffi::Array<ffi::Any>& values) {
  uint64_t value = tschema::StructuralHash(values, /*map_free_vars=*/true);
  std::string digits(16, '0');
  for (size_t i = digits.size(); i-- > 0; value >>= 4) digits[i] = "0123456789abcdef"[value & 15];
  return digits;
}

tir::PrimFunc WithoutAttributes(const tir::PrimFunc& func) {
  return tir::PrimFunc(func->params, func->body, func->buffer_map, func->ret_type);
}

}  // namespace uir::schedule
