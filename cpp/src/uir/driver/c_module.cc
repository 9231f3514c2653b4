/*!
 * \file c_module.cc
 * \brief Loads compiled texts, and writes them to files.
 */
#include "./c_module.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <uir/driver/compiler.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "./tar.h"

namespace uir::driver {

namespace fs = std::filesystem;

namespace {

/*! \brief Load a compiled text; what is loaded needs its file no longer. */
ffi::Module Load(const CSource& source) {
  {
    const ObjectFile file = Compile(source, ObjectKind::kSharedLibrary);
    try {
      return ffi::Module::LoadFromFile(file.path.string());
    } catch (const ffi::Error&) {
      // Another process has just cleared the cache, or its file system runs no programs.
      if (file.folder) throw;
    }
  }
  const ObjectFile file = CompileAgain(source, ObjectKind::kSharedLibrary);
  return ffi::Module::LoadFromFile(file.path.string());
}

/*! \brief The content of a compiled file. */
std::string Compiled(const CSource& source, ObjectKind kind) {
  const ObjectFile file = Compile(source, kind);
  try {
    return ReadFile(file.path);
  } catch (const fs::filesystem_error&) {
    return ReadFile(CompileAgain(source, kind).path);
  }
}

std::string Archive(const CSource& source) {
  TarArchive archive;
  archive.Add("module.c", {source.text.data(), source.text.size()});
  archive.Add("module.o", Compiled(source, ObjectKind::kObject));
  if (source.constants.size() != 0) {
    archive.Add("constants.bin", {source.constants.data(), source.constants.size()});
  }
  return archive.Finish();
}

std::string Content(const CSource& source, const std::string& format) {
  if (format == "so") return Compiled(source, ObjectKind::kSharedLibrary);
  if (format == "o") return Compiled(source, ObjectKind::kObject);
  if (format == "c") return std::string(source.text);
  return Archive(source);
}

constexpr fs::perms kReadable =
    fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;

/*! \brief Put a file in its place at once: who has the old one open or loaded keeps it. */
void ReplaceFile(const fs::path& path, const std::string& content, bool executable) {
  try {
    const fs::path parent = fs::absolute(path).parent_path();
    const WorkFolder folder(parent);
    const fs::path file = folder.path() / path.filename();
    WriteFile(file, content);
    if (executable) {
      // Who may read it may run it.
      const fs::perms readable = fs::status(file).permissions() & kReadable;
      const auto runnable = static_cast<fs::perms>(static_cast<unsigned>(readable) >> 2);
      fs::permissions(file, runnable, fs::perm_options::add);
    }
    fs::rename(file, path);
  } catch (const fs::filesystem_error& error) {
    TVM_FFI_THROW(RuntimeError) << "cannot write `" << path.string() << "`: " << error.what();
  }
}

}  // namespace

CModuleObj::CModuleObj(CSource source) : source_(std::move(source)), library_(Load(source_)) {}

int CModuleObj::GetPropertyMask() const {
  return ffi::Module::kRunnable | ffi::Module::kCompilationExportable;
}

ffi::Optional<ffi::Function> CModuleObj::GetFunction(const ffi::String& name) {
  return library_->GetFunction(name);
}

void CModuleObj::WriteToFile(const ffi::String& file_name, const ffi::String& format) const {
  if (!imports().empty()) {
    TVM_FFI_THROW(ValueError) << "cannot write `" << file_name << "`: the module imports others, "
                              << "which the file would lack";
  }
  const fs::path path = std::string(file_name);
  const std::string ending = path.extension().string();
  const std::string wanted = !format.empty() ? std::string(format) : ending.substr(!ending.empty());
  for (const ffi::String& known : GetWriteFormats()) {
    if (known != wanted) continue;
    ReplaceFile(path, Content(source_, wanted), wanted == "so");
    return;
  }
  TVM_FFI_THROW(ValueError) << "cannot write `" << path.string() << "`: a module of kind `c` is "
                            << "written as `so`, `o`, `c` or `tar`, got `" << wanted << "`";
}

ffi::Array<ffi::String> CModuleObj::GetWriteFormats() const { return {"so", "o", "c", "tar"}; }

ffi::String CModuleObj::InspectSource(const ffi::String& format) const {
  return format.empty() || format == "c" ? source_.text : ffi::String();
}

ffi::Module compile_c(ffi::String source, ffi::Array<ffi::String> flags, ffi::Bytes constants) {
  CSource unit{std::move(source), {}, std::move(constants)};
  for (const ffi::String& flag : flags) unit.flags.emplace_back(flag);
  return ffi::Module(ffi::make_object<CModuleObj>(std::move(unit)));
}

}  // namespace uir::driver
