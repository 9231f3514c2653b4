/*!
 * \file field_access.cc
 * \brief The accessors of compiled types where these know all there is to know, else our own.
 */
#include "./field_access.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/extra/module.h>

namespace tschema {
namespace dynamic {
namespace {

struct Known {
  const char* kind;
  const Access* access;
};

/*! \brief Types that need no context. */
constexpr Known kPlain[] = {{"bool", &kAccess<bool>},
                            {"int8", &kAccess<int8_t>},
                            {"int16", &kAccess<int16_t>},
                            {"int32", &kAccess<int32_t>},
                            {"int64", &kAccess<int64_t>},
                            {"uint8", &kAccess<uint8_t>},
                            {"uint16", &kAccess<uint16_t>},
                            {"uint32", &kAccess<uint32_t>},
                            {"uint64", &kAccess<uint64_t>},
                            {"float32", &kAccess<float>},
                            {"float64", &kAccess<double>},
                            {"DataType", &kAccess<DLDataType>},
                            {"Device", &kAccess<DLDevice>},
                            {"String", &kAccess<ffi::String>},
                            {"Bytes", &kAccess<ffi::Bytes>},
                            {"Any", &kAccess<ffi::Any>},
                            {"Object", &kAccess<ffi::ObjectRef>},
                            {"Function", &kAccess<ffi::Function>},
                            {"Tensor", &kAccess<ffi::Tensor>},
                            {"Shape", &kAccess<ffi::Shape>},
                            {"Module", &kAccess<ffi::Module>}};

struct StaticIndex {
  const char* kind;
  int32_t type_index;
};

/*! \brief The type indices of other types that tvm-ffi knows at compile time. */
constexpr StaticIndex kStaticIndices[] = {{"enum", kTVMFFIInt},     {"node", kTVMFFIObject},
                                          {"Tuple", kTVMFFIObject}, {"Array", kTVMFFIArray},
                                          {"List", kTVMFFIList},    {"Map", kTVMFFIMap},
                                          {"Dict", kTVMFFIDict}};

int32_t StaticIndexOf(const std::string& kind) {
  for (const StaticIndex& entry : kStaticIndices) {
    if (kind == entry.kind) return entry.type_index;
  }
  return kTVMFFIAny;
}

TVMFFIFieldGetter GetterOf(const ValueType& type) {
  switch (type.storage()) {
    case Storage::kObject:
      return &::tschema::detail::GetObjectField;
    case Storage::kValue:
      return &::tschema::detail::GetAnyField;
    case Storage::kPlain:
      break;
  }
  return &::tschema::detail::GetPlainField<int32_t>;  // An enum.
}

}  // namespace

FieldAccess AccessOf(const Slotted& slotted) {
  const std::string& kind = slotted.field.type.kind;
  for (const Known& known : kPlain) {
    if (kind == known.kind) {
      return {known.access->getter, known.access->static_type_index, known.access->setter};
    }
  }
  return {GetterOf(slotted.type), StaticIndexOf(kind), nullptr};
}

ffi::Function MakeSetter(const Slotted& slotted) {
  return ffi::Function::FromPacked([&slotted](const ffi::AnyView* args, int32_t, ffi::Any*) {
    TVM_FFI_CHECK_SAFE_CALL(
        ::tschema::detail::IsOfNull(args[0].cast<void*>()) ? ::tschema::detail::RefuseNull() : 0);
    slotted.type.Assign(args[0].cast<void*>(), args[1], Slot{nullptr, nullptr, nullptr});
  });
}

}  // namespace dynamic
}  // namespace tschema
