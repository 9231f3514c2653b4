// The JSON loader, for a fuzzer.
#include <tschema/json.h>

#include "./target.h"

namespace fuzz_loaders {
namespace {

std::string Save(const ffi::Any& value) { return tschema::SaveJSON(value); }

}  // namespace

const Format kFormat = {&Save, &tschema::LoadJSON};

}  // namespace fuzz_loaders
