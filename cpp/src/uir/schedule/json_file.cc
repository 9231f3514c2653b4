// Reading of files of JSON.
#include "./json_file.h"

#include <tvm/ffi/error.h>

#include <fstream>
#include <sstream>
#include <string>

namespace uir::schedule {

namespace {

std::string TextOf(const ffi::String& path) {
  std::ifstream file{std::string(path)};
  std::stringstream text;
  if (file) text << file.rdbuf();
  if (!file || !text) TVM_FFI_THROW(ValueError) << "the file `" << path << "` cannot be read";
  return text.str();
}

}  // namespace

ffi::json::Value ReadJson(const ffi::String& path) {
  ffi::String error;
  ffi::json::Value parsed = ffi::json::Parse(TextOf(path), &error);
  if (!error.empty()) TVM_FFI_THROW(ValueError) << "`" << path << "` is not JSON: " << error;
  return parsed;
}

}  // namespace uir::schedule
