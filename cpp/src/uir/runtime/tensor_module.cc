// Modules of kind `uir.tensors`: named tensors, in memory and as bytes.
#include <tschema/binary.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>
#include <uir/runtime/tensor_module.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace uir::runtime {

namespace {

using Tensors = ffi::Map<ffi::String, ffi::Tensor>;

constexpr const char* kNames = "tensor_names";

class TensorModuleObj : public ffi::ModuleObj {
 public:
  explicit TensorModuleObj(Tensors tensors) : tensors_(std::move(tensors)) {
    if (tensors_.count(kNames) == 0) return;
    TVM_FFI_THROW(ValueError) << "tensor_module: a tensor cannot be called `" << kNames
                              << "`, which lists their names";
  }

  const char* kind() const final { return "uir.tensors"; }

  int GetPropertyMask() const final {
    return ffi::Module::kBinarySerializable | ffi::Module::kRunnable;
  }

  ffi::Optional<ffi::Function> GetFunction(const ffi::String& name) final {
    if (name == kNames) {
      return ffi::Function::FromTyped([tensors = tensors_] { return NamesOf(tensors); });
    }
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) return std::nullopt;
    return ffi::Function::FromTyped([tensor = (*found).second] { return tensor; });
  }

  ffi::Bytes SaveToBytes() const final {
    // Equal tensors give equal bytes, in any order of the map.
    ffi::Array<ffi::Any> values;
    for (const ffi::String& name : NamesOf(tensors_)) {
      values.push_back(name);
      values.push_back(tensors_.at(name));
    }
    return tschema::SaveBinary(values);
  }

  static ffi::Module Load(const ffi::Bytes& bytes) {
    const auto values =
        tschema::LoadBinary({bytes.data(), bytes.size()}).cast<ffi::Array<ffi::Any>>();
    Tensors tensors;
    for (size_t i = 0; i + 1 < values.size(); i += 2) {
      const auto at = static_cast<int64_t>(i);
      tensors.Set(values[at].cast<ffi::String>(), values[at + 1].cast<ffi::Tensor>());
    }
    return tensor_module(std::move(tensors));
  }

 private:
  static ffi::Array<ffi::String> NamesOf(const Tensors& tensors) {
    std::vector<ffi::String> names;
    for (const auto& [name, tensor] : tensors) names.push_back(name);
    std::sort(names.begin(), names.end());
    return {names.begin(), names.end()};
  }

  Tensors tensors_;
};

TVM_FFI_STATIC_INIT_BLOCK() {
  const char* name = "ffi.Module.load_from_bytes.uir.tensors";
  // Another loaded copy of this library has registered the same function.
  if (ffi::Function::GetGlobal(name).has_value()) return;
  ffi::Function::SetGlobal(name, ffi::Function::FromTyped(&TensorModuleObj::Load));
}

}  // namespace

ffi::Module tensor_module(Tensors tensors) {
  return ffi::Module(ffi::make_object<TensorModuleObj>(std::move(tensors)));
}

}  // namespace uir::runtime
