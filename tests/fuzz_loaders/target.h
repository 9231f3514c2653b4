/*!
 * \file target.h
 * \brief What a fuzzer runs on one input: load it, and if that works, save and load again.
 */
#ifndef TSCHEMA_TESTS_FUZZ_LOADERS_TARGET_H_
#define TSCHEMA_TESTS_FUZZ_LOADERS_TARGET_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/error.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace fuzz_loaders {

namespace ffi = ::tvm::ffi;

/*! \brief One way to save and load. */
struct Format {
  std::string (*save)(const ffi::Any& value);
  ffi::Any (*load)(std::string_view data);
};

/*! \brief The format of the program: each defines it. */
extern const Format kFormat;

/*! \brief Graphs to start from, as files of the format. */
std::vector<std::string> Seeds(const Format& format);

/*! \brief End the process with a message, which both kinds of fuzzers take for a crash. */
[[noreturn]] inline void Abort(const char* what, const std::string& message) {
  std::fprintf(stderr, "%s: %s\n", what, message.c_str());
  std::abort();
}

inline void CheckError(const ffi::Error& error) {
  std::string kind = error.kind();
  bool is_expected = kind == "ValueError" || kind == "TypeError";
  bool has_place = error.message().find("(byte ") != std::string::npos;
  if (!is_expected || !has_place) Abort("unexpected error", kind + ": " + error.message());
}

/*! \brief What loads must also save, and give the same file once it has been loaded again. */
inline void CheckRoundTrip(const ffi::Any& value) {
  try {
    std::string saved = kFormat.save(value);
    if (kFormat.save(kFormat.load(saved)) != saved) Abort("no fixed point", saved);
  } catch (const ffi::Error& error) {
    Abort("does not round-trip", error.message());
  }
}

inline void RunOne(std::string_view data) {
  ffi::Any value;
  try {
    value = kFormat.load(data);
  } catch (const ffi::Error& error) {
    return CheckError(error);
  }
  CheckRoundTrip(value);
}

}  // namespace fuzz_loaders

#endif  // TSCHEMA_TESTS_FUZZ_LOADERS_TARGET_H_
