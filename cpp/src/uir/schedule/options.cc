// Rows of users for the table of parameters: reading and checks.
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <uir/schedule/options.h>

#include <string>

#include "./json_file.h"
#include "./parameters.h"

namespace uir::schedule {

namespace json = ffi::json;

namespace {

json::Array ArrayOf(const ffi::String& path) {
  if (const auto rows = ReadJson(path).as<json::Array>()) return *rows;
  TVM_FFI_THROW(ValueError) << "`" << path << "` must be an array of rows";
  TVM_FFI_UNREACHABLE();
}

}  // namespace

void ScheduleOptionsNode::PostInit() { CheckRows(rows, "Schedule.rows"); }

TunedRows read_rows(ffi::String path) {
  TunedRows rows;
  for (const ffi::Any& any : ArrayOf(path)) {
    const auto object = any.as<json::Object>();
    if (!object) {
      TVM_FFI_THROW(ValueError) << path << ": row " << rows.size() << " must be an object";
    }
    ffi::Map<ffi::String, ffi::Any> row;
    for (const auto& [name, value] : *object) row.Set(name.cast<ffi::String>(), value);
    rows.push_back(row);
  }
  CheckRows(rows, std::string(path));
  return rows;
}

}  // namespace uir::schedule
