// Hashes of tensors, from evenly spread samples of their bytes.
#include "./tensor_hash.h"

#include <tschema/structural_hash.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace uir::transform {

namespace {

constexpr size_t kSample = 64;
constexpr size_t kNumSamples = 64;

/*! \brief Hash all bytes of a short content; of a long one, samples that include the last bytes. */
std::string SamplesOf(std::string_view content) {
  if (content.size() <= kSample * kNumSamples) return std::string(content);
  const size_t last = content.size() - kSample;
  std::string samples;
  for (size_t i = 0; i < kNumSamples; ++i) {
    samples += content.substr(last / (kNumSamples - 1) * i, kSample);
  }
  return samples.append(content.substr(last));
}

void AppendBytes(const void* from, size_t size, std::string* key) {
  key->append(static_cast<const char*>(from), size);
}

}  // namespace

uint64_t SampledHash(const ffi::Tensor& tensor) {
  const DLTensor& raw = *tensor.GetDLTensorPtr();
  const bool is_readable = raw.device.device_type == kDLCPU && tensor.IsContiguous();
  if (!is_readable) return tschema::StructuralHash(tensor);
  std::string key =
      SamplesOf({static_cast<const char*>(raw.data) + raw.byte_offset, ffi::GetDataSize(raw)});
  AppendBytes(raw.shape, static_cast<size_t>(raw.ndim) * sizeof(*raw.shape), &key);
  AppendBytes(&raw.dtype, sizeof(raw.dtype), &key);
  return std::hash<std::string_view>()(key);
}

}  // namespace uir::transform
