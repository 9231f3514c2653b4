// Loads a library that uir exported, and calls it; it knows tvm-ffi alone.
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/module.h>

#include <cstdint>
#include <iostream>

namespace ffi = tvm::ffi;

int main(int, char** argv) {
  const ffi::Module module = ffi::Module::LoadFromFile(argv[1]);
  float values[] = {1, 2, 3, 4};
  float doubled[4] = {};
  int64_t shape[] = {2, 2};
  DLTensor x = {values, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
  DLTensor y = {doubled, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, nullptr, 0};
  (*module->GetFunction("main_into"))(&x, &y);
  for (const float value : doubled) std::cout << value << " ";
  std::cout << module->GetFunction("text", true).value()().cast<ffi::String>() << "\n";
  const auto refused = [&](auto... args) {
    try {
      (*module->GetFunction("main_into"))(args...);
    } catch (const ffi::Error& error) {
      std::cout << error.kind() << ": " << error.message() << "\n";
    }
  };
  refused(&x);
  refused(&x, &x);
  refused(&x, 3);
  refused(&x, nullptr);
  DLTensor wide = x;
  wide.dtype.bits = 64;
  refused(&wide, &y);
  int64_t other_shape[] = {1, 2};
  DLTensor other = {doubled, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, other_shape, nullptr, 0};
  refused(&x, &other);
}
