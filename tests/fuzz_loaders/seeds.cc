// Graphs that fuzzers start from: those of the unit tests, and a file of an older version.
#include "./target.h"
#include "cpp/tschema/serialize/graphs.h"

namespace fuzz_loaders {
namespace {

/*! \brief A point of an older version, whose fields are held in another way than now. */
std::string OlderFile(const Format& format) {
  constexpr std::string_view kOld = "serialize_test.OldPoint";
  constexpr std::string_view kNew = "serialize_test.NewPoint";
  ffi::ObjectRef point(ffi::make_object<serialize_test::OldPointNode>(3, 4));
  std::string file = format.save(ffi::Array<ffi::Any>{point, point});
  for (size_t at = file.find(kOld); at != std::string::npos; at = file.find(kOld)) {
    file.replace(at, kOld.size(), kNew);
  }
  return file;
}

}  // namespace

std::vector<std::string> Seeds(const Format& format) {
  std::vector<std::string> seeds = {OlderFile(format)};
  for (const ffi::Any& value : serialize_test::ManyValues()) seeds.push_back(format.save(value));
  return seeds;
}

}  // namespace fuzz_loaders
