// Calls the compiled network.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "./network.h"

namespace ffi = tvm::ffi;

namespace {

/*! \brief Memory that tensors are made in. */
struct Allocator {
  void AllocData(DLTensor* tensor) {
    tensor->data = std::aligned_alloc(64, (ffi::GetDataSize(*tensor) + 63) / 64 * 64);
  }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};

}  // namespace

int main() {
  const ffi::Tensor pixels =
      ffi::Tensor::FromNDAlloc(Allocator(), ffi::Shape({2, 64}), {kDLFloat, 32, 1}, {kDLCPU, 0});
  auto* values = static_cast<float*>(pixels.data_ptr());
  for (int i = 0; i < 128; ++i) values[i] = static_cast<float>(i % 7) / 7;
  const ffi::Tensor probabilities = network::predict(pixels);
  const auto* row = static_cast<const float*>(probabilities.data_ptr());
  for (int i = 0; i < 2; ++i, row += 10) {
    std::cout << "image " << i << ": digit " << std::max_element(row, row + 10) - row << "\n";
  }
  try {
    network::predict(probabilities);
  } catch (const ffi::Error& error) {
    std::cout << error.kind() << ": " << error.message() << "\n";
  }
}
