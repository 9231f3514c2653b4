#include "farm/dog.h"

#include <tvm/ffi/reflection/registry.h>

namespace {

namespace refl = ::tvm::ffi::reflection;

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<farm::DogNode>().def_ro("age", &farm::DogNode::age);
  refl::GlobalDef().def("farm.make_dog", [](::tvm::ffi::String name, int64_t age) {
    return farm::Dog(std::move(name), age);
  });
}

}  // namespace
