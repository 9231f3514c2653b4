// The binary loader, for a fuzzer.
#include <tschema/binary.h>

#include "./target.h"

namespace fuzz_loaders {
namespace {

std::string Save(const ffi::Any& value) {
  ffi::Bytes bytes = tschema::SaveBinary(value);
  return {bytes.data(), bytes.size()};
}

}  // namespace

const Format kFormat = {&Save, &tschema::LoadBinary};

}  // namespace fuzz_loaders
