// Files of tuned kernels and chains.
#include <tvm/ffi/error.h>
#include <uir/schedule/layouts.h>
#include <uir/schedule/replay.h>
#include <uir/transform/pass.h>

#include <optional>
#include <string>
#include <utility>

#include "./json_file.h"
#include "./layout_choice.h"
#include "./parameters.h"
#include "./trace.h"

namespace uir::schedule {

namespace json = ffi::json;

namespace {

constexpr int64_t kFileFormat = 1;

/*! \brief The advice to a user of a file for another machine or release. */
constexpr const char* kAdvice =
    ": tune again, or measure its kernels here by `uir tune --revalidate`";

using LinesByHash = ffi::Map<ffi::String, ffi::Array<ffi::String>>;

void CheckKernel(const ffi::Array<ffi::String>& lines) {
  for (const ffi::String& line : lines) ParseTraceLine(line);
}

void CheckChain(const ffi::Array<ffi::String>& lines) { ParseLayout(lines); }

/*! \brief Reads the object of a file, and names the file in errors. */
class TunedFile {
 public:
  TunedFile(const ffi::String& path, json::Object object)
      : path_(path), object_(std::move(object)) {}

  ffi::Array<transform::Pass> PassesFor(const ffi::String& target_isa) const {
    CheckNumber("uir_tuned", kFileFormat, "the format");
    CheckNumber("lowering", lowering_version(), "the version of lowering");
    const ffi::String isa = Text(object_, "isa", "the file");
    CheckInstructionSet(isa, target_isa);
    const LinesByHash kernels = Traces("kernel", CheckKernel);
    const bool has_chains = object_.find(ffi::String("chains")) != object_.end();
    const LinesByHash chains = has_chains ? Traces("chain", CheckChain) : LinesByHash();
    ffi::Array<transform::Pass> passes;
    // The versions of a target share the layouts, which the file knows for one of them.
    if (!chains.empty() && target_isa != "x86-64") passes.push_back(ReplayLayouts(chains));
    passes.push_back(ReplayKernels(kernels, isa));
    return passes;
  }

 private:
  [[noreturn]] void Fail(const std::string& why) const {
    TVM_FFI_THROW(ValueError) << "the tuned file `" << path_ << "`: " << why;
    TVM_FFI_UNREACHABLE();
  }

  void CheckNumber(const char* key, int64_t wanted, const std::string& what) const {
    const auto found = Find<int64_t>(object_, key);
    if (!found) Fail("`" + std::string(key) + "` must be a number");
    if (*found == wanted) return;
    Fail(what + " (`" + key + "`) is " + std::to_string(*found) + ", and this release has " +
         std::to_string(wanted) + kAdvice);
  }

  void CheckInstructionSet(const ffi::String& isa, const ffi::String& target) const {
    const std::string own = ResolveInstructionSet(isa);
    const bool has_versions = target == "x86-64" && own != "aarch64";
    if (has_versions || own == ResolveInstructionSet(target)) return;
    Fail("its kernels are for `" + own + "`, and the target is `" + ResolveInstructionSet(target) +
         "`" + kAdvice);
  }

  /*! \brief The traces of the rows of a kind, `kernel` or `chain`, by their hashes. */
  LinesByHash Traces(const std::string& kind, void (*check)(const ffi::Array<ffi::String>&)) const {
    const auto rows = Find<json::Array>(object_, (kind + "s").c_str());
    if (!rows) Fail("`" + kind + "s` must be an array");
    LinesByHash traces;
    for (size_t i = 0; i < rows->size(); ++i) {
      const std::string place = kind + " " + std::to_string(i);
      const auto row = (*rows)[i].as<json::Object>();
      if (!row) Fail(place + " must be an object");
      const ffi::String hash = Text(*row, kind.c_str(), place);
      if (traces.count(hash) != 0) Fail(place + ": `" + std::string(hash) + "` is there twice");
      const ffi::Array<ffi::String> lines = Lines(*row, place);
      Check(lines, place, check);
      traces.Set(hash, lines);
    }
    return traces;
  }

  ffi::Array<ffi::String> Lines(const json::Object& row, const std::string& place) const {
    const auto found = Find<json::Array>(row, "trace");
    if (!found) Fail(place + ": `trace` must be an array");
    ffi::Array<ffi::String> lines;
    for (const ffi::Any& any : *found) {
      const auto line = any.as<ffi::String>();
      if (!line) Fail(place + ": a line of its trace must be a string");
      lines.push_back(*line);
    }
    return lines;
  }

  void Check(const ffi::Array<ffi::String>& lines, const std::string& place,
             void (*check)(const ffi::Array<ffi::String>&)) const {
    try {
      check(lines);
    } catch (const ffi::Error& error) {
      Fail(place + ": " + error.message());
    }
  }

  ffi::String Text(const json::Object& object, const char* key, const std::string& place) const {
    const auto found = Find<ffi::String>(object, key);
    if (!found) Fail(place + ": `" + key + "` must be a string");
    return *found;
  }

  template <typename T>
  static std::optional<T> Find(const json::Object& object, const char* key) {
    const auto found = object.find(ffi::String(key));
    if (found == object.end()) return std::nullopt;
    return (*found).second.as<T>();
  }

  const ffi::String& path_;
  json::Object object_;
};

}  // namespace

ffi::Optional<ffi::Array<transform::Pass>> read_tuned(ffi::String path, ffi::String isa) {
  const json::Value parsed = ReadJson(path);
  if (parsed.as<json::Array>()) return std::nullopt;
  const auto object = parsed.as<json::Object>();
  if (!object) {
    TVM_FFI_THROW(ValueError) << "`" << path
                              << "` must be an array of rows or an object of tuned kernels";
  }
  return TunedFile(path, *object).PassesFor(isa);
}

}  // namespace uir::schedule
