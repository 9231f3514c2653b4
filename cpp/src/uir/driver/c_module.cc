/*!
 * \file c_module.cc
 * \brief Loads compiled texts, and writes them to files.
 */
#include "./c_module.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>
#include <uir/driver/compiler.h>
#include <uir/runtime/library_file.h>

#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "./import_tree.h"
#include "./tar.h"

namespace uir::driver {

namespace fs = std::filesystem;

namespace {

std::string_view ViewOf(const ffi::Bytes& bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ViewOf(const ffi::String& text) { return {text.data(), text.size()}; }

/*!
 * \brief The symbol of a text that looks functions up in its imports: tvm-ffi stores the module in
 * it, so that each module needs a copy of the library.
 */
constexpr std::string_view kContext = "__tvm_ffi__library_ctx";

ffi::Module LoadPart(const CSource& source, const fs::path& path) {
  if (ViewOf(source.text).find(kContext) != std::string_view::npos) {
    return runtime::LoadCopy(path.string());
  }
  runtime::CheckLibrary(path.string());
  return ffi::Module::LoadFromFile(path.string());
}

/*! \brief Load a library that the compiler has just written. */
ffi::Module LoadFile(const CSource& source, const fs::path& path) {
  try {
    return LoadPart(source, path);
  } catch (const ffi::Error& error) {
    TVM_FFI_THROW(RuntimeError) << "the library that the C compiler wrote cannot be loaded: "
                                << error.message();
    TVM_FFI_UNREACHABLE();
  }
}

/*! \brief Load a compiled text; the loaded library no longer needs its file. */
ffi::Module Load(const CSource& source) {
  fs::path cached;
  {
    const ObjectFile file = Compile(source, ObjectKind::kSharedLibrary);
    if (file.folder) return LoadFile(source, file.path);
    try {
      return LoadPart(source, file.path);
    } catch (const ffi::Error&) {
      // Another process has just cleared the cache, its file system is mounted without execution,
      // or the compiler failed without an error.
      cached = file.path;
    }
  }
  const ObjectFile file = CompileAgain(source, ObjectKind::kSharedLibrary);
  RemoveIfDifferent(cached, file.path);
  return LoadFile(source, file.path);
}

/*! \brief The object of a text, with the objects that are linked with it. */
std::string ObjectOf(const CSource& source) {
  if (source.objects.empty()) return CompiledContent(source, ObjectKind::kObject);
  CSource alone = source;
  alone.objects.clear();
  CSource linked;
  linked.system = source.system;
  linked.file.clear();
  linked.objects = source.objects;
  linked.objects.push_back({"text.o", CompiledContent(alone, ObjectKind::kObject)});
  return CompiledContent(linked, ObjectKind::kObject);
}

/*! \brief A C text that defines a symbol of tvm-ffi, whose content is the file of constants. */
CSource LibraryBinarySource(const std::string& binary, const CSource& program) {
  CSource source;
  source.text =
      "__asm__(\".pushsection .rodata\\n.balign 8\\n.globl __tvm_ffi__library_bin\\n\"\n"
      "        \"__tvm_ffi__library_bin:\\n.incbin \\\"constants.bin\\\"\\n.popsection\");\n";
  source.constants = ffi::Bytes(binary);
  source.flags = program.flags;
  source.system = program.system;
  return source;
}

bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/*! \brief An entry of which a library has one for all its texts. */
constexpr std::string_view kSharedEntry = "uir_profile_v1";

/*! \brief The names of the functions that a text exports to tvm-ffi: `__tvm_ffi_<name>(`. */
std::set<std::string> EntriesOf(const ffi::String& source) {
  constexpr std::string_view kPrefix = "__tvm_ffi_";
  const std::string_view text = ViewOf(source);
  std::set<std::string> names;
  for (size_t at = text.find(kPrefix); at != text.npos; at = text.find(kPrefix, at + 1)) {
    if (at > 0 && IsNamePart(text[at - 1])) continue;
    const size_t begin = at + kPrefix.size();
    size_t end = begin;
    while (end < text.size() && IsNamePart(text[end])) ++end;
    const size_t next = text.find_first_not_of(" \t\n\r\f\v", end);
    const std::string_view name = text.substr(begin, end - begin);
    const bool is_entry =
        !name.empty() && name.front() != '_' && next != text.npos && text[next] == '(';
    if (is_entry && name != kSharedEntry) names.emplace(name);
  }
  return names;
}

constexpr fs::perms kReadable =
    fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;

/*! \brief Replace a file atomically: processes that have the old one open or loaded keep it. */
void ReplaceFile(const fs::path& path, const std::string& content, bool executable) {
  try {
    const fs::path parent = fs::absolute(path).parent_path();
    const WorkFolder folder(parent);
    const fs::path file = folder.path() / path.filename();
    WriteFile(file, content);
    if (executable) {
      // All users who may read it may run it.
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

CModuleObj::CModuleObj(CSource source, std::vector<ExternSource> externs,
                       std::vector<std::string> globals)
    : source_(std::move(source)), externs_(std::move(externs)), globals_(std::move(globals)) {
  for (const ExternSource& external : externs_) {
    source_.objects.push_back(CompileExtern(external, source_));
  }
  if (source_.system.arch.empty()) library_ = Load(source_);
}

int CModuleObj::GetPropertyMask() const {
  return (library_.has_value() ? ffi::Module::kRunnable : 0) | ffi::Module::kCompilationExportable;
}

ffi::Optional<ffi::Function> CModuleObj::GetFunction(const ffi::String& name) {
  if (library_.has_value()) return library_.value()->GetFunction(name);
  TVM_FFI_THROW(RuntimeError) << "the module is for processors of kind `" << source_.system.arch
                              << "`, so that `" << name << "` does not run on this one; write it "
                              << "to a file";
  TVM_FFI_UNREACHABLE();
}

ffi::Optional<ffi::String> CModuleObj::GetFunctionMetadata(const ffi::String& name) {
  if (!library_.has_value()) return std::nullopt;
  return library_.value()->GetFunctionMetadata(name);
}

void CModuleObj::ImportModule(const ffi::Module& other) {
  ffi::ModuleObj::ImportModule(other);
  // The code looks functions up in the imports of its library.
  if (library_.has_value()) library_.value()->ImportModule(other);
}

void CModuleObj::ClearImports() {
  ffi::ModuleObj::ClearImports();
  if (library_.has_value()) library_.value()->ClearImports();
}

/*! \brief Check that a file would have all functions that the text calls. */
void CModuleObj::CheckGlobals() const {
  if (globals_.empty()) return;
  std::string names;
  for (const std::string& name : globals_) names += (names.empty() ? "`" : ", `") + name + "`";
  TVM_FFI_THROW(ValueError) << "the module cannot be written to a file: it calls "
                            << (globals_.size() == 1 ? "the global function " : "global functions ")
                            << names << ", which only this process has registered";
}

/*! \brief The text with the other parts of a file: constants, objects and imports. */
CSource CModuleObj::LinkedSource() const {
  CheckGlobals();
  const ImportTree tree(this);
  CSource linked = source_;
  std::set<std::string> entries = EntriesOf(source_.text);
  for (const ffi::ModuleObj* import : tree.linked()) {
    static_cast<const CModuleObj*>(import)->CheckGlobals();
    const CSource& source = static_cast<const CModuleObj*>(import)->source_;
    for (const std::string& entry : EntriesOf(source.text)) {
      if (entries.insert(entry).second) continue;
      TVM_FFI_THROW(ValueError) << "two of the modules have a function `" << entry
                                << "`, of which one library can have one only";
    }
    linked.objects.push_back(
        {"import" + std::to_string(linked.objects.size()) + ".o", ObjectOf(source)});
  }
  const std::string binary = tree.LibraryBinary();
  if (!binary.empty()) {
    const CSource carried = LibraryBinarySource(binary, source_);
    linked.objects.push_back({"library_bin.o", CompiledContent(carried, ObjectKind::kObject)});
  }
  return linked;
}

/*! \brief An archive of the object, the text and the sources of external functions. */
std::string CModuleObj::Archive(const CSource& linked) const {
  TarArchive archive;
  archive.Add("module.c", ViewOf(source_.text));
  archive.Add("module.o", ObjectOf(linked));
  if (source_.constants.size() != 0) archive.Add("constants.bin", ViewOf(source_.constants));
  for (const ExternSource& external : externs_) archive.Add(external.FileName(), external.text);
  return archive.Finish();
}

std::string CModuleObj::Content(const std::string& format) const {
  const CSource linked = LinkedSource();
  if (format == "so") return CompiledContent(linked, ObjectKind::kSharedLibrary);
  if (format == "o") return ObjectOf(linked);
  if (format == "tar") return Archive(linked);
  if (!linked.objects.empty()) {
    TVM_FFI_THROW(ValueError) << "the C text alone lacks the external functions and the imported "
                                 "modules that belong to it: write `so`, `o` or `tar`";
  }
  return std::string(source_.text);
}

void CModuleObj::WriteToFile(const ffi::String& file_name, const ffi::String& format) const {
  const fs::path path = std::string(file_name);
  const std::string ending = path.extension().string();
  const std::string wanted = !format.empty() ? std::string(format) : ending.substr(!ending.empty());
  for (const ffi::String& known : GetWriteFormats()) {
    if (known == wanted) return ReplaceFile(path, Content(wanted), wanted == "so");
  }
  TVM_FFI_THROW(ValueError) << "cannot write `" << path.string() << "`: a module of kind `c` is "
                            << "written as `so`, `o`, `c` or `tar`, got `" << wanted << "`";
}

ffi::Array<ffi::String> CModuleObj::GetWriteFormats() const { return {"so", "o", "c", "tar"}; }

ffi::String CModuleObj::InspectSource(const ffi::String& format) const {
  return format.empty() || format == "c" ? source_.text : ffi::String();
}

ffi::Module compile_c(ffi::String source, ffi::Array<ffi::String> flags, ffi::Bytes constants) {
  CSource unit;
  unit.text = std::move(source);
  unit.constants = std::move(constants);
  for (const ffi::String& flag : flags) unit.flags.emplace_back(flag);
  return ffi::Module(ffi::make_object<CModuleObj>(std::move(unit)));
}

}  // namespace uir::driver
