/*!
 * \file object_file.cc
 * \brief Compiles C texts, each in a separate folder.
 */
#include "./object_file.h"

#include <sys/utsname.h>
#include <tschema/sha256.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/error.h>
#include <uir/runtime/library_file.h>
#include <uir/target/unit_condition.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <future>
#include <string_view>
#include <utility>

#include "./content_digest.h"
#include "./glibc.h"
#include "./object_cache.h"

namespace uir::driver {

namespace fs = std::filesystem;

namespace {

/*! \brief The name and the features of the first processor, on which `-march=native` depends. */
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

CompileJob JobOf(const CSource& source, ObjectKind kind) {
  CompileJob job{{}, source.flags, source.system, kind};
  if (!source.file.empty()) job.inputs.push_back(source.file);
  for (const NamedFile& object : source.objects) job.inputs.push_back(object.name);
  return job;
}

/*! \brief The commands that compile a source: those of its units, which may run at the same time,
 * and the one that makes the object or library. */
struct Commands {
  /*! \brief The last one is that of the unit which has the constants. */
  std::vector<Command> units;
  Command last;

  void SetFolder(const fs::path& folder) {
    for (Command& unit : units) unit.folder = folder;
    last.folder = folder;
  }
};

Commands CommandsOf(const CSource& source, ObjectKind kind, const CCompiler& compiler) {
  const size_t num_units = target::CountUnits({source.text.data(), source.text.size()});
  CompileJob job = JobOf(source, kind);
  Commands commands;
  if (num_units > 1) job.inputs.erase(job.inputs.begin());
  for (size_t unit = 0; num_units > 1 && unit < num_units; ++unit) {
    CompileJob part{{source.file}, FlagsOfUnits(compiler), source.system, ObjectKind::kObject};
    part.flags.insert(part.flags.end(), source.flags.begin(), source.flags.end());
    part.name = "unit" + std::to_string(unit);
    part.flags.push_back("-DUNIT=" + std::to_string(unit));
    commands.units.push_back(CompileCommand(compiler, part, ""));
    job.inputs.push_back(part.name + ".o");
  }
  if (num_units > 1) {
    std::rotate(commands.units.begin(), commands.units.begin() + 1, commands.units.end());
  }
  commands.last = CompileCommand(compiler, job, "");
  return commands;
}

/*! \brief The digest of all inputs of an object. */
std::string KeyOf(const CSource& source, const CCompiler& compiler, const Commands& commands) {
  static const std::string processor = ReadProcessor();
  TVMFFIVersion version = {};
  TVMFFIGetVersion(&version);
  std::vector<std::string> parts = {
      "3",
      compiler.version,
      processor,
      std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
          std::to_string(version.patch),
      ContentDigest({source.text.data(), source.text.size()}),
      ContentDigest({source.constants.data(), source.constants.size()})};
  for (const NamedFile& object : source.objects) parts.push_back(ContentDigest(object.content));
  for (const Command& unit : commands.units) {
    parts.insert(parts.end(), unit.words.begin(), unit.words.end());
  }
  parts.insert(parts.end(), commands.last.words.begin(), commands.last.words.end());
  std::string text;
  for (const std::string& part : parts) text += std::to_string(part.size()) + ":" + part;
  return tschema::Sha256(text);
}

void WriteSources(const CSource& source, const fs::path& folder) {
  if (!source.file.empty()) {
    WriteFile(folder / source.file, {source.text.data(), source.text.size()});
  }
  for (const NamedFile& object : source.objects) WriteFile(folder / object.name, object.content);
}

/*! \brief Write the constants of a source, by another thread if there are any. */
std::future<void> WriteConstants(const CSource& source, const fs::path& folder) {
  const std::string_view content{source.constants.data(), source.constants.size()};
  const auto write = [content, folder] {
    if (!content.empty()) WriteFile(folder / "constants.bin", content);
  };
  return std::async(content.empty() ? std::launch::deferred : std::launch::async, write);
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

[[noreturn]] void ThrowNoFolder(const fs::filesystem_error& error) {
  TVM_FFI_THROW(RuntimeError) << "there is no folder to compile in: " << error.what();
  TVM_FFI_UNREACHABLE();
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
    ThrowNoFolder(error);
  }
}

/*! \brief The defect of a file after a successful run of the compiler. */
std::string Shortcoming(const fs::path& object) {
  std::error_code error;
  const bool is_there = fs::file_size(object, error) > 0 && !error;
  return is_there ? "wrote a damaged object: " + runtime::FindDamage(object.string()).value_or("")
                  : "wrote no object";
}

[[noreturn]] void ThrowFailed(const Outcome& outcome, const std::string& shortcoming,
                              const Command& command, const fs::path& kept, const CSource& source) {
  std::string output = outcome.output;
  if (!output.empty() && output.back() != '\n') output += '\n';
  const std::string ending =
      outcome.Succeeded() ? shortcoming : Describe(outcome, command.time_limit);
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

/*! \brief A command that has run, and its outcome. */
struct Step {
  Command command;
  Outcome outcome;

  Step(Command ran, Outcome ended) : command(std::move(ran)), outcome(std::move(ended)) {
    command.before = nullptr;  // It may refer to destroyed objects.
  }
};

/*!
 * \brief Run commands up to the first one that fails, which is returned; else the last one.
 * \throws std::filesystem::filesystem_error If the constants cannot be written.
 */
Step RunCommands(Commands commands, const CSource& source, const fs::path& folder) {
  commands.SetFolder(folder);
  std::future<void> constants = WriteConstants(source, folder);
  Command& reader = commands.units.empty() ? commands.last : commands.units.back();
  reader.before = [&constants] { constants.get(); };
  const std::vector<Outcome> outcomes = RunAll(commands.units);
  for (size_t i = 0; i < outcomes.size(); ++i) {
    if (!outcomes[i].Succeeded()) return Step(commands.units[i], outcomes[i]);
  }
  return Step(commands.last, Run(commands.last));
}

/*! \brief Compile what lies in a folder; if that fails, keep it. */
WorkFolder RunCompiler(const Commands& commands, ObjectKind kind, const std::string& key,
                       const std::optional<ObjectCache>& cache, const CSource& source) {
  WorkFolder folder = MakeWorkFolder(source, cache);
  const bool in_cache = cache && folder.path().parent_path() == cache->folder();
  std::optional<Step> step;
  try {
    step = RunCommands(commands, source, folder.path());
  } catch (const fs::filesystem_error& error) {
    if (!in_cache) ThrowNoFolder(error);
    return RunCompiler(commands, kind, key, std::nullopt, source);
  }
  const auto& [command, outcome] = *step;
  const fs::path object = folder.path() / (std::string("module.") + EndingOf(kind));
  if (outcome.Succeeded() && !runtime::FindDamage(object.string())) return folder;
  // The compiler fails in a cache that was removed or filled up meanwhile, and succeeds elsewhere.
  const bool usable = HasSources(source, folder.path()) && HasRoom(source, folder.path());
  if (in_cache && !usable) return RunCompiler(commands, kind, key, std::nullopt, source);
  const std::string shortcoming = Shortcoming(object);
  const fs::path kept = in_cache ? cache->KeepFailed(key, std::move(folder)) : folder.Keep();
  ThrowFailed(outcome, shortcoming, command, kept, source);
}

/*! \brief Remove all files except for the text and the object, which has the constants too. */
void Tidy(const WorkFolder& folder, const std::string& text, const std::string& object) {
  std::vector<fs::path> others;
  std::error_code ignored;
  for (const fs::directory_entry& file : fs::directory_iterator(folder.path(), ignored)) {
    const fs::path name = file.path().filename();
    if (name != text && name != object) others.push_back(file.path());
  }
  for (const fs::path& other : others) fs::remove_all(other, ignored);
}

ObjectFile FindOrCompile(const CSource& source, ObjectKind kind, const CCompiler& compiler) {
  const std::string file = std::string("module.") + EndingOf(kind);
  const Commands commands = CommandsOf(source, kind, compiler);
  const std::string key = KeyOf(source, compiler, commands);
  const std::optional<ObjectCache> cache = ObjectCache::Open();
  if (cache) {
    if (std::optional<fs::path> found = cache->Find(key, file)) return {*found, std::nullopt};
  }
  WorkFolder folder = RunCompiler(commands, kind, key, cache, source);
  Tidy(folder, source.file, file);
  if (cache && folder.path().parent_path() == cache->folder()) {
    if (auto inserted = cache->Insert(key, file, &folder)) return {*inserted, std::nullopt};
  }
  fs::path path = folder.path() / file;
  return {std::move(path), std::move(folder)};
}

}  // namespace

ObjectFile Compile(const CSource& source, ObjectKind kind) {
  const CCompiler compiler = FindCompiler(JobOf(source, kind));
  ObjectFile file = FindOrCompile(source, kind, compiler);
  // A cached file may have been compiled for any glibc.
  CheckGlibc(file.path.string(), source.system.glibc, compiler);
  return file;
}

ObjectFile CompileAgain(const CSource& source, ObjectKind kind) {
  const CCompiler compiler = FindCompiler(JobOf(source, kind));
  WorkFolder folder = RunCompiler(CommandsOf(source, kind, compiler), kind, "", {}, source);
  fs::path path = folder.path() / (std::string("module.") + EndingOf(kind));
  CheckGlibc(path.string(), source.system.glibc, compiler);
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
