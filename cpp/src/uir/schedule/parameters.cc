// Parameters of recipes, from the table of the library.
#include "./parameters.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>

#include <algorithm>

namespace uir::schedule {

namespace {

namespace json = ffi::json;

constexpr char kTable[] =
#include "schedule_parameters.inc"
    ;

const json::Object& Table() {
  static const json::Object table = json::Parse(kTable).cast<json::Object>();
  return table;
}

std::string Native() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return "x86-64-v4";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "x86-64-v3";
#endif
  return "generic";
}

bool Fits(const json::Object& row, const char* name, const ffi::String& value) {
  const auto found = row.at(ffi::String(name)).cast<ffi::String>();
  return found == "*" || found == value;
}

}  // namespace

std::string ResolveInstructionSet(const ffi::String& isa) {
  if (isa == "native") return Native();
  const auto known = Table().at(ffi::String("vector_bytes")).cast<json::Object>();
  if (known.count(isa) != 0) return isa;
  TVM_FFI_THROW(ValueError) << "`isa` must be one of `native`, `generic`, `x86-64-v3`, "
                               "`x86-64-v4`, `aarch64`, got `"
                            << isa << "`";
  TVM_FFI_UNREACHABLE();
}

int VectorLanes(const std::string& isa, DLDataType dtype) {
  const auto bytes = Table().at(ffi::String("vector_bytes")).cast<json::Object>();
  const auto register_bytes = bytes.at(ffi::String(isa)).cast<int64_t>();
  return static_cast<int>(std::max<int64_t>(register_bytes * 8 / std::max<int>(dtype.bits, 8), 1));
}

int64_t ParameterTable::Get(const ParameterKey& key, const char* name) const {
  const ffi::String dtype = ffi::DLDataTypeToString(key.dtype);
  for (const ffi::Any& any : Table().at(ffi::String("rows")).cast<json::Array>()) {
    const auto row = any.cast<json::Object>();
    if (Fits(row, "recipe", key.recipe) && Fits(row, "isa", isa_) && Fits(row, "dtype", dtype) &&
        Fits(row, "shape", key.shape)) {
      return row.at(ffi::String(name)).cast<int64_t>();
    }
  }
  TVM_FFI_THROW(InternalError) << "no row of parameters.json fits the recipe `" << key.recipe
                               << "`";
  TVM_FFI_UNREACHABLE();
}

void CheckParameter(const std::string& name, int64_t value) {
  const auto ranges = Table().at(ffi::String("ranges")).cast<json::Object>();
  const bool is_known = ranges.count(ffi::String(name)) != 0;
  const ffi::String key(is_known ? name : "*");
  const auto range = ranges.at(key).cast<json::Array>();
  const auto least = range[0].cast<int64_t>(), most = range[1].cast<int64_t>();
  if (least <= value && value <= most) return;
  TVM_FFI_THROW(ValueError) << "`" << name << "` must be from " << least << " to " << most
                            << ", got " << value;
}

}  // namespace uir::schedule
