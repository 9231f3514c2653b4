/*!
 * \file object_file.cc
 * \brief Compiles C texts, each in a folder of its own.
 */
#include "./object_file.h"

#include <sys/utsname.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <utility>

#include "./content_digest.h"
#include "./object_cache.h"

namespace uir::driver {

namespace fs = std::filesystem;

namespace {

/*! \brief The name and the features of the first processor, which `-march=native` stands for. */
std::string ReadProcessor() {
  utsname system = {};
  uname(&system);
  std::string processor = system.machine;
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    for (const std::string_view field : {"model name", "flags", "Features", "CPU part"}) {
      if (line.compare(0, field.size(), field) == 0) processor += "\n" + line;
    }
  }
  return processor;
}

/*! \brief The digest of all that an object is made from. */
std::string KeyOf(const CSource& source, const CCompiler& compiler, const Command& command) {
  static const std::string processor = ReadProcessor();
  TVMFFIVersion version = {};
  TVMFFIGetVersion(&version);
  std::vector<std::string> parts = {
      "1",
      compiler.version,
      processor,
      std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
          std::to_string(version.patch),
      ContentDigest({source.text.data(), source.text.size()}),
      ContentDigest({source.constants.data(), source.constants.size()})};
  for (const NamedFile& object : source.objects) parts.push_back(ContentDigest(object.content));
  parts.insert(parts.end(), command.words.begin(), command.words.end());
  std::string text;
  for (const std::string& part : parts) text += std::to_string(part.size()) + ":" + part;
  return ContentDigest(text);
}

void WriteSources(const CSource& source, const fs::path& folder) {
  if (!source.file.empty()) {
    WriteFile(folder / source.file, {source.text.data(), source.text.size()});
  }
  for (const NamedFile& object : source.objects) WriteFile(folder / object.name, object.content);
  if (source.constants.size() != 0) {
    WriteFile(folder / "constants.bin", {source.constants.data(), source.constants.size()});
  }
}

CompileJob JobOf(const CSource& source, ObjectKind kind) {
  CompileJob job{{}, source.flags, source.arch, kind};
  if (!source.file.empty()) job.inputs.push_back(source.file);
  for (const NamedFile& object : source.objects) job.inputs.push_back(object.name);
  return job;
}

/*! \brief Room for what compilers write: assembly and objects, which have the constants again. */
constexpr uintmax_t kRoom = uintmax_t{16} << 20;

bool HasRoom(const CSource& source, const fs::path& folder) {
  std::error_code error;
  const uintmax_t available = fs::space(folder, error).available;
  uintmax_t size = source.constants.size();
  for (const NamedFile& object : source.objects) size += object.content.size();
  return !error && available >= kRoom + 4 * size;
}

/*! \brief A folder with the sources: in the cache, else among temporary files. */
WorkFolder MakeWorkFolder(const CSource& source, const std::optional<ObjectCache>& cache) {
  if (cache && HasRoom(source, cache->folder())) {
    try {
      WorkFolder folder(cache->folder());
      WriteSources(source, folder.path());
      return folder;
    } catch (const fs::filesystem_error&) {
      // The cache is read-only.
    }
  }
  try {
    WorkFolder folder(fs::temp_directory_path());
    WriteSources(source, folder.path());
    return folder;
  } catch (const fs::filesystem_error& error) {
    TVM_FFI_THROW(RuntimeError) << "there is no folder to compile in: " << error.what();
    TVM_FFI_UNREACHABLE();
  }
}

[[noreturn]] void ThrowFailed(const Outcome& outcome, const Command& command, const fs::path& kept,
                              const CSource& source) {
  std::string output = outcome.output;
  if (!output.empty() && output.back() != '\n') output += '\n';
  const std::string ending =
      outcome.Succeeded() ? "wrote no object" : Describe(outcome, command.time_limit);
  TVM_FFI_THROW(RuntimeError) << "the C compiler " << ending << "\ncommand: cd "
                              << ShellText({kept.string()}) << " && " << ShellText(command.words)
                              << "\nC file: " << (kept / source.file).string() << "\noutput:\n"
                              << (output.empty() ? "(none)\n" : output);
  TVM_FFI_UNREACHABLE();
}

/*! \brief Whether the sources are where they were written to: users may remove the cache. */
bool HasSources(const CSource& source, const fs::path& folder) {
  std::error_code error;
  if (!source.file.empty() && !fs::exists(folder / source.file, error)) return false;
  return std::all_of(source.objects.begin(), source.objects.end(), [&](const NamedFile& object) {
    return fs::exists(folder / object.name, error);
  });
}

/*! \brief Compile what lies in a folder; if that fails, keep it. */
WorkFolder RunCompiler(Command command, ObjectKind kind, const std::string& key,
                       const std::optional<ObjectCache>& cache, const CSource& source) {
  WorkFolder folder = MakeWorkFolder(source, cache);
  command.folder = folder.path();
  const Outcome outcome = Run(command);
  const fs::path object = folder.path() / (std::string("module.") + EndingOf(kind));
  std::error_code error;
  if (outcome.Succeeded() && fs::file_size(object, error) > 0 && !error) return folder;
  const bool in_cache = cache && folder.path().parent_path() == cache->folder();
  // The compiler fails in a cache that was removed or filled up meanwhile, and succeeds elsewhere.
  const bool usable = HasSources(source, folder.path()) && HasRoom(source, folder.path());
  if (in_cache && !usable) return RunCompiler(command, kind, key, std::nullopt, source);
  const fs::path kept = in_cache ? cache->KeepFailed(key, std::move(folder)) : folder.Keep();
  ThrowFailed(outcome, command, kept, source);
}

/*! \brief Remove all but the text and the object: constants are in the object too. */
void Tidy(const WorkFolder& folder, const std::string& text, const std::string& object) {
  std::vector<fs::path> others;
  std::error_code ignored;
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path(), ignored)) {
    const fs::path name = file.path().filename();
    if (name != text && name != object) others.push_back(file.path());
  }
  for (const fs::path& other : others) fs::remove_all(other, ignored);
}

}  // namespace

ObjectFile Compile(const CSource& source, ObjectKind kind) {
  const CompileJob job = JobOf(source, kind);
  const CCompiler compiler = FindCompiler(job);
  const std::string file = std::string("module.") + EndingOf(kind);
  const Command command = CompileCommand(compiler, job, "");
  const std::string key = KeyOf(source, compiler, command);
  const std::optional<ObjectCache> cache = ObjectCache::Open();
  if (cache) {
    if (std::optional<fs::path> found = cache->Find(key, file)) return {*found, std::nullopt};
  }
  WorkFolder folder = RunCompiler(command, kind, key, cache, source);
  Tidy(folder, source.file, file);
  if (cache && folder.path().parent_path() == cache->folder()) {
    if (auto inserted = cache->Insert(key, file, &folder)) return {*inserted, std::nullopt};
  }
  fs::path path = folder.path() / file;
  return {std::move(path), std::move(folder)};
}

ObjectFile CompileAgain(const CSource& source, ObjectKind kind) {
  const CompileJob job = JobOf(source, kind);
  const Command command = CompileCommand(FindCompiler(job), job, "");
  WorkFolder folder = RunCompiler(command, kind, "", {}, source);
  fs::path path = folder.path() / (std::string("module.") + EndingOf(kind));
  return {std::move(path), std::move(folder)};
}

void RemoveIfDifferent(const fs::path& cached, const fs::path& again) {
  std::error_code ignored;
  try {
    if (ReadFile(cached) != ReadFile(again)) fs::remove_all(cached.parent_path(), ignored);
  } catch (const fs::filesystem_error&) {
    // Another build has removed it.
  }
}

std::string CompiledContent(const CSource& source, ObjectKind kind) {
  const ObjectFile file = Compile(source, kind);
  try {
    return ReadFile(file.path);
  } catch (const fs::filesystem_error&) {
    return ReadFile(CompileAgain(source, kind).path);
  }
}

}  // namespace uir::driver
