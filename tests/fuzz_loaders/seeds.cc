// Graphs that fuzzers start from: those of the unit tests.
#include "./target.h"
#include "cpp/tschema/serialize/graphs.h"

namespace fuzz_loaders {

std::vector<std::string> Seeds(const Format& format) {
  std::vector<std::string> seeds;
  for (const ffi::Any& value : serialize_test::ManyValues()) seeds.push_back(format.save(value));
  return seeds;
}

}  // namespace fuzz_loaders
