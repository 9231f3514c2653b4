// Devices as text.
#include "./device.h"

#include <charconv>
#include <utility>

namespace uir::script {

namespace {

/*! \brief Names of types of devices; the first one of a type is printed. */
constexpr std::pair<std::string_view, DLDeviceType> kDeviceNames[] = {
    {"cpu", kDLCPU},        {"cuda", kDLCUDA},       {"opencl", kDLOpenCL}, {"vulkan", kDLVulkan},
    {"metal", kDLMetal},    {"mps", kDLMetal},       {"vpi", kDLVPI},       {"rocm", kDLROCM},
    {"ext_dev", kDLExtDev}, {"hexagon", kDLHexagon}, {"webgpu", kDLWebGPU}, {"wgpu", kDLWebGPU},
    {"maia", kDLMAIA},      {"trn", kDLTrn},
};

std::optional<int32_t> WholeNumber(std::string_view text) {
  int32_t number = 0;
  const char* end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || last != end || text.empty()) return std::nullopt;
  return number;
}

std::optional<DLDeviceType> DeviceTypeOf(std::string_view name) {
  for (const auto& [known, type] : kDeviceNames) {
    if (known == name) return type;
  }
  const std::optional<int32_t> number = WholeNumber(name);
  if (!number) return std::nullopt;
  return static_cast<DLDeviceType>(*number);
}

}  // namespace

std::string DeviceText(DLDevice device) {
  std::string name = std::to_string(static_cast<int>(device.device_type));
  for (const auto& [known, type] : kDeviceNames) {
    if (type != device.device_type) continue;
    name = known;
    break;
  }
  return name + ":" + std::to_string(device.device_id);
}

std::optional<DLDevice> DeviceOf(std::string_view text) {
  const size_t colon = text.find(':');
  const std::optional<DLDeviceType> type = DeviceTypeOf(text.substr(0, colon));
  if (!type) return std::nullopt;
  if (colon == std::string_view::npos) return DLDevice{*type, 0};
  const std::optional<int32_t> index = WholeNumber(text.substr(colon + 1));
  if (!index) return std::nullopt;
  return DLDevice{*type, *index};
}

}  // namespace uir::script
