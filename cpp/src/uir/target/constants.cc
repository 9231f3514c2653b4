// The constant tensors of a module: their place in `constants.bin`, and its bytes.
#include "./constants.h"

#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <uir/ir/type_name.h>
#include <uir/target/target.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "./c_types.h"

namespace uir::target {

namespace {

constexpr int64_t kConstantAlignment = 64;

int64_t Aligned(int64_t bytes) {
  return (bytes + kConstantAlignment - 1) / kConstantAlignment * kConstantAlignment;
}

int64_t BytesIn(const ffi::Tensor& tensor) {
  return tensor.numel() * BytesOf(tensor.dtype()) * tensor.dtype().lanes;
}

int64_t OffsetOf(const ffi::Array<ffi::Tensor>& constants, int64_t index) {
  int64_t offset = 0;
  for (int64_t i = 0; i < index; ++i) offset += Aligned(BytesIn(constants[i]));
  return offset;
}

/*! \brief The first of the trailing dimensions that are contiguous. */
int32_t CompactFrom(const DLTensor& tensor) {
  int64_t count = 1;
  int32_t axis = tensor.ndim;
  for (; axis > 0 && tensor.strides[axis - 1] == count; --axis) count *= tensor.shape[axis - 1];
  return axis;
}

/*! \brief Append the elements of a dimension and of those inside it. */
void AppendElements(const DLTensor& tensor, int32_t compact_from, int32_t axis, const char* from,
                    std::string* to) {
  const int64_t bytes = int64_t{BytesOf(tensor.dtype)} * tensor.dtype.lanes;
  if (axis == compact_from) {
    int64_t count = 1;
    for (int32_t i = axis; i < tensor.ndim; ++i) count *= tensor.shape[i];
    to->append(from, static_cast<size_t>(count * bytes));
    return;
  }
  for (int64_t i = 0; i < tensor.shape[axis]; ++i) {
    AppendElements(tensor, compact_from, axis + 1, from + i * tensor.strides[axis] * bytes, to);
  }
}

/*! \brief The most bytes near code: it addresses 2 GiB around it, some of it for itself. */
constexpr int64_t kMostBytesNearCode = (int64_t{1} << 31) - (int64_t{1} << 26);

/*! \brief Whether the assembler of a machine has a section that may lie anywhere. */
bool HasLargeSection(const std::string& isa) {
#ifdef __x86_64__
  if (isa == "native" || isa == "generic") return true;
#endif
  return isa.rfind("x86-64", 0) == 0;
}

int64_t TotalBytes(const ffi::Array<ffi::Tensor>& constants) {
  return OffsetOf(constants, static_cast<int64_t>(constants.size()));
}

}  // namespace

void CheckConstantBytes(const ffi::Array<ffi::Tensor>& constants, const std::string& isa) {
  const int64_t total = TotalBytes(constants);
  if (total <= kMostBytesNearCode || HasLargeSection(isa)) return;
  const auto is_smaller = [](const ffi::Tensor& a, const ffi::Tensor& b) {
    return BytesIn(a) < BytesIn(b);
  };
  const ffi::Tensor largest = *std::max_element(constants.begin(), constants.end(), is_smaller);
  std::string shape;
  for (const int64_t extent : largest.shape()) {
    shape += (shape.empty() ? "" : ", ") + std::to_string(extent);
  }
  TVM_FFI_THROW(ValueError) << "the constants take " << total << " bytes, and a library for `"
                            << isa << "` holds at most " << kMostBytesNearCode
                            << ": make parameters of the "
                            << "largest, of which one is a "
                            << ffi::DLDataTypeToString(largest.dtype()) << " tensor of shape ("
                            << shape << ")";
}

ffi::Array<ffi::Tensor> ConstantsOf(const ir::IRModule& module) {
  const ffi::Any attribute = module->GetAttr("constants");
  if (attribute == nullptr) return {};
  std::optional<ffi::Array<ffi::Tensor>> constants = attribute.as<ffi::Array<ffi::Tensor>>();
  if (constants) return *constants;
  TVM_FFI_THROW(TypeError)
      << "attribute `constants` of the module must be an array of tensors, got `"
      << ir::TypeNameOf(attribute) << "`";
  TVM_FFI_UNREACHABLE();
}

namespace {

/*! \brief The constants of a module, which are freed one by one if nothing else has the module. */
std::vector<ffi::Tensor> ListConstants(ir::IRModule module) {
  const ffi::Array<ffi::Tensor> constants = ConstantsOf(module);
  return {constants.begin(), constants.end()};
}

}  // namespace

std::string ConstantName(int64_t index) { return "constant" + std::to_string(index) + "_"; }

namespace {

std::string InSection(const std::string& section, const std::string& content) {
  return "\n__asm__(\".pushsection " + section + "\\n" + content + "\\n.popsection\");";
}

}  // namespace

std::string DefineConstant(const ffi::Array<ffi::Tensor>& constants, int64_t index) {
  const ffi::Tensor tensor = constants[index];
  const std::string name = ConstantName(index);
  const std::string type = ScalarTypeOf(ir::ElementOf(tensor.dtype())).value_or("uint8_t");
  const int64_t size = BytesIn(tensor);
  // There is no file if no constant has an element.
  const std::string data = size == 0 ? ".zero 1"
                                     : ".incbin \\\"constants.bin\\\", " +
                                           std::to_string(OffsetOf(constants, index)) + ", " +
                                           std::to_string(size);
  const std::string aligned = ".balign " + std::to_string(kConstantAlignment) + "\\n";
  const std::string hidden = " __attribute__((visibility(\"hidden\")));";
  if (TotalBytes(constants) <= kMostBytesNearCode) {
    return "extern const " + type + " " + name + "[]" + hidden +
           InSection(".rodata", aligned + name + ":\\n\"\n        \"" + data) + "\n";
  }
  const std::string far = name + "elements";
  return "extern const " + type + "* const " + name + hidden +
         InSection(".lrodata,\\\"al\\\",@progbits", aligned + far + ":\\n\"\n        \"" + data) +
         InSection(".data.rel.ro,\\\"aw\\\"", ".balign 8\\n" + name + ":\\n.quad " + far) + "\n";
}

ffi::Bytes constant_bytes(ir::IRModule module) {
  std::vector<ffi::Tensor> constants = ListConstants(std::move(module));
  int64_t size = 0;
  for (const ffi::Tensor& tensor : constants) size += Aligned(BytesIn(tensor));
  std::string bytes;
  bytes.reserve(static_cast<size_t>(size));
  for (size_t i = 0; i < constants.size(); ++i) {
    const DLTensor& tensor = *constants[i].GetDLTensorPtr();
    if (tensor.device.device_type != kDLCPU) {
      TVM_FFI_THROW(ValueError) << "constant " << i << " of the module must be on the CPU";
    }
    const char* from = static_cast<const char*>(tensor.data) + tensor.byte_offset;
    AppendElements(tensor, CompactFrom(tensor), 0, from, &bytes);
    bytes.resize(static_cast<size_t>(Aligned(static_cast<int64_t>(bytes.size()))));
    constants[i] = ffi::Tensor();
  }
  return ffi::Bytes(std::move(bytes));
}

}  // namespace uir::target
