// Random damage for a number of seconds, where there is no libFuzzer.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "./target.h"

namespace fuzz_loaders {
namespace {

/*! \brief Makes inputs from seeds and from what it made before. */
class Mutator {
 public:
  Mutator(std::vector<std::string> seeds, uint32_t seed)
      : inputs_(std::move(seeds)), random_(seed) {}

  std::string Next() {
    std::string data = Any();
    for (size_t edits = 1 + Below(6); edits > 0; --edits) Edit(&data);
    if (Below(16) == 0) inputs_[Below(inputs_.size())] = data;
    return data;
  }

 private:
  size_t Below(size_t end) { return end == 0 ? 0 : random_() % end; }
  const std::string& Any() { return inputs_[Below(inputs_.size())]; }

  std::string PartOf(const std::string& data) {
    size_t begin = Below(data.size());
    return data.substr(begin, Below(64));
  }

  void Edit(std::string* data) {
    if (data->empty()) *data = Any();
    size_t at = Below(data->size());
    switch (Below(6)) {
      case 0:
        (*data)[at] ^= static_cast<char>(1 << Below(8));
        return;
      case 1:
        (*data)[at] = static_cast<char>(Below(256));
        return;
      case 2:
        data->erase(at, Below(32));
        return;
      case 3:
        data->insert(at, PartOf(Any()));
        return;
      case 4:
        data->insert(at, PartOf(*data));
        return;
      default:
        if (Below(8) == 0) data->resize(at);
    }
  }

  std::vector<std::string> inputs_;
  std::mt19937 random_;
};

void Run(double seconds, uint32_t seed) {
  using Clock = std::chrono::steady_clock;
  auto end = Clock::now() + std::chrono::duration<double>(seconds);
  Mutator mutator(Seeds(kFormat), seed);
  size_t runs = 0;
  for (; Clock::now() < end; ++runs) {
    // Without a byte behind it, so that a reader that goes too far is seen.
    std::string data = mutator.Next();
    std::vector<char> exact(data.begin(), data.end());
    RunOne({exact.data(), exact.size()});
  }
  std::printf("%zu inputs, seed %u\n", runs, seed);
}

}  // namespace
}  // namespace fuzz_loaders

int main(int argc, char** argv) {
  double seconds = argc > 1 ? std::atof(argv[1]) : 10;
  auto seed = static_cast<uint32_t>(argc > 2 ? std::atoi(argv[2]) : 1);
  fuzz_loaders::Run(seconds, seed);
  return 0;
}
