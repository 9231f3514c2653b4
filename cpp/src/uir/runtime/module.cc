// Compiled modules in files; the module itself knows how it is written.
#include <tvm/ffi/error.h>
#include <uir/runtime/module.h>

#include <filesystem>
#include <string>

namespace uir::runtime {

ffi::Module load_module(ffi::String path) { return ffi::Module::LoadFromFile(path); }

void export_library(ffi::Module module, ffi::String path) {
  const std::string ending = std::filesystem::path(std::string(path)).extension().string();
  const std::string format = ending.substr(!ending.empty());
  std::string known;
  for (const ffi::String& candidate : module->GetWriteFormats()) {
    if (candidate == format) return module->WriteToFile(path, format);
    known += (known.empty() ? "`." : ", `.") + std::string(candidate) + "`";
  }
  TVM_FFI_THROW(ValueError) << "export_library: a module of kind `" << module->kind()
                            << "` is written to "
                            << (known.empty() ? "no file" : "files that end in " + known)
                            << ", got `" << path << "`";
}

}  // namespace uir::runtime
