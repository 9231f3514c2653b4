// Loads and exports compiled modules; each kind of module implements its own writing.
#include <tvm/ffi/error.h>
#include <uir/runtime/library_file.h>
#include <uir/runtime/module.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace uir::runtime {

namespace {

/*! \brief The kind of the module without a loader, from the message of tvm-ffi; else empty. */
std::string KindWithoutLoader(const std::string& message) {
  constexpr std::string_view kBegin = "Library binary was created using {";
  constexpr std::string_view kEnd = "} but a loader of that name is not registered";
  const size_t begin = message.find(kBegin);
  const size_t end = message.find(kEnd);
  if (begin == message.npos || end == message.npos) return "";
  return message.substr(begin + kBegin.size(), end - begin - kBegin.size());
}

/*! \brief The package that registers the loader of a kind, the first part of the kind's name. */
std::string ProviderOf(const std::string& kind) {
  const size_t point = kind.find('.');
  return point == kind.npos ? "the package that registers it"
                            : "the package `" + kind.substr(0, point) + "`";
}

}  // namespace

ffi::Module load_module(ffi::String path) {
  try {
    return LoadLibrary(path);
  } catch (const ffi::Error& error) {
    const std::string kind = KindWithoutLoader(error.message());
    if (kind.empty()) throw;
    TVM_FFI_THROW(RuntimeError) << "`" << path << "` has a module of kind `" << kind
                                << "`, and no function `ffi.Module.load_from_bytes." << kind
                                << "` loads it\nhelp: import " << ProviderOf(kind) << " before";
  }
  TVM_FFI_UNREACHABLE();
}

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
