// A second kind of module, `demo.text`: a text that `text` returns, saved as its bytes.
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/reflection/registry.h>

#include <utility>

namespace ffi = tvm::ffi;

namespace {

class TextModuleObj : public ffi::ModuleObj {
 public:
  explicit TextModuleObj(ffi::String text) : text_(std::move(text)) {}

  const char* kind() const final { return "demo.text"; }
  int GetPropertyMask() const final { return ffi::Module::kBinarySerializable; }
  ffi::Bytes SaveToBytes() const final { return ffi::Bytes(text_.data(), text_.size()); }
  ffi::Optional<ffi::Function> GetFunction(const ffi::String& name) final {
    if (name != "text") return std::nullopt;
    return ffi::Function::FromTyped([text = text_] { return text; });
  }

 private:
  ffi::String text_;
};

ffi::Module Make(ffi::String text) {
  return ffi::Module(ffi::make_object<TextModuleObj>(std::move(text)));
}

}  // namespace

TVM_FFI_DLL_EXPORT_TYPED_FUNC(make, Make);

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::GlobalDef().def(
      "ffi.Module.load_from_bytes.demo.text",
      [](const ffi::Bytes& bytes) { return Make(ffi::String(bytes.data(), bytes.size())); });
}
