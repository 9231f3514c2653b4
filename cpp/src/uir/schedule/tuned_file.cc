// Files of tuned kernels.
#include <tvm/ffi/error.h>
#include <uir/schedule/replay.h>
#include <uir/transform/pass.h>

#include <optional>
#include <string>
#include <utility>

#include "./json_file.h"
#include "./parameters.h"
#include "./trace.h"

namespace uir::schedule {

namespace json = ffi::json;

namespace {

constexpr int64_t kFileFormat = 1;

/*! \brief The advice to a user of a file for another machine or release. */
constexpr const char* kAdvice =
    ": tune again, or measure its kernels here by `uir tune --revalidate`";

using LinesByKernel = ffi::Map<ffi::String, ffi::Array<ffi::String>>;

/*! \brief Reads the object of a file, and names the file in errors. */
class TunedFile {
 public:
  TunedFile(const ffi::String& path, json::Object object)
      : path_(path), object_(std::move(object)) {}

  transform::Pass PassFor(const ffi::String& target_isa) const {
    CheckNumber("uir_tuned", kFileFormat, "the format");
    CheckNumber("lowering", lowering_version(), "the version of lowering");
    const ffi::String isa = Text(object_, "isa", "the file");
    CheckInstructionSet(isa, target_isa);
    return ReplayKernels(KernelTraces(), isa);
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

  LinesByKernel KernelTraces() const {
    const auto kernels = Find<json::Array>(object_, "kernels");
    if (!kernels) Fail("`kernels` must be an array");
    LinesByKernel traces;
    for (size_t i = 0; i < kernels->size(); ++i) {
      const std::string place = "kernel " + std::to_string(i);
      const auto kernel = (*kernels)[i].as<json::Object>();
      if (!kernel) Fail(place + " must be an object");
      const ffi::String hash = Text(*kernel, "kernel", place);
      if (traces.count(hash) != 0) Fail(place + ": `" + std::string(hash) + "` is there twice");
      traces.Set(hash, Lines(*kernel, place));
    }
    return traces;
  }

  ffi::Array<ffi::String> Lines(const json::Object& kernel, const std::string& place) const {
    const auto found = Find<json::Array>(kernel, "trace");
    if (!found) Fail(place + ": `trace` must be an array");
    ffi::Array<ffi::String> lines;
    for (const ffi::Any& any : *found) {
      const auto line = any.as<ffi::String>();
      if (!line) Fail(place + ": a line of its trace must be a string");
      CheckLine(*line, place);
      lines.push_back(*line);
    }
    return lines;
  }

  void CheckLine(const ffi::String& line, const std::string& place) const {
    try {
      ParseTraceLine(line);
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

ffi::Optional<transform::Pass> read_tuned(ffi::String path, ffi::String isa) {
  const json::Value parsed = ReadJson(path);
  if (parsed.as<json::Array>()) return std::nullopt;
  const auto object = parsed.as<json::Object>();
  if (!object) {
    TVM_FFI_THROW(ValueError) << "`" << path
                              << "` must be an array of rows or an object of tuned kernels";
  }
  return TunedFile(path, *object).PassFor(isa);
}

}  // namespace uir::schedule
