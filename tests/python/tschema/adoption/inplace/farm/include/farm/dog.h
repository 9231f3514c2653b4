#pragma once

#include "farm/animal.h"

namespace farm {

// A class that tschema does not know yet.
class DogNode : public AnimalNode {
 public:
  int64_t age;
  DogNode(::tvm::ffi::String name, int64_t age) : AnimalNode(std::move(name)), age(age) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("farm.Dog", DogNode, AnimalNode);
};

class Dog : public Animal {
 public:
  Dog(::tvm::ffi::String name, int64_t age) : Animal(::tvm::ffi::UnsafeInit{}) {
    data_ = ::tvm::ffi::make_object<DogNode>(std::move(name), age);
  }
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Dog, Animal, DogNode);
};

}  // namespace farm
