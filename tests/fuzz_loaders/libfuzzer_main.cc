// Hands inputs of libFuzzer to the target; writes the seeds into the corpus first.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "./target.h"

namespace {

/*! \brief The first argument that is a folder: where libFuzzer keeps its corpus. */
std::filesystem::path CorpusOf(int argc, char** argv) {
  for (int index = 1; index < argc; ++index) {
    if (std::filesystem::is_directory(argv[index])) return argv[index];
  }
  return {};
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  std::filesystem::path corpus = CorpusOf(*argc, *argv);
  if (corpus.empty()) return 0;
  int number = 0;
  for (const std::string& seed : fuzz_loaders::Seeds(fuzz_loaders::kFormat)) {
    std::ofstream(corpus / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_loaders::RunOne({reinterpret_cast<const char*>(data), size});
  return 0;
}
