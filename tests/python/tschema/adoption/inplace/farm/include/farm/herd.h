#pragma once

#include <tschema/release.h>
#include <tschema/structural.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/object.h>

#include <utility>

#include "farm/animal.h"

namespace farm {

// tschema: HerdNode
// tschema: end

// The reference is written by hand.
class Herd : public ::tvm::ffi::ObjectRef {
 public:
  explicit Herd(::tvm::ffi::Array<Animal> animals) : ::tvm::ffi::ObjectRef(::tvm::ffi::UnsafeInit{}) {
    data_ = ::tvm::ffi::make_object<HerdNode>(std::move(animals));
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Herd, ::tvm::ffi::ObjectRef, HerdNode);
};

}  // namespace farm
