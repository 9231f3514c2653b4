// Rows of users for the table of parameters: reading and checks.
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>
#include <uir/schedule/options.h>

#include <fstream>
#include <sstream>
#include <string>

#include "./parameters.h"

namespace uir::schedule {

namespace json = ffi::json;

namespace {

std::string TextOf(const ffi::String& path) {
  std::ifstream file{std::string(path)};
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text) {
    TVM_FFI_THROW(ValueError) << "the file of rows `" << path << "` cannot be read";
  }
  return text.str();
}

json::Array ArrayOf(const ffi::String& path) {
  ffi::String error;
  const json::Value parsed = json::Parse(TextOf(path), &error);
  if (!error.empty()) {
    TVM_FFI_THROW(ValueError) << "`" << path << "` is not JSON: " << error;
  }
  if (const auto rows = parsed.as<json::Array>()) return *rows;
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
