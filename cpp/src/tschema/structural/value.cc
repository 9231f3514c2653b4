/*!
 * \file value.cc
 * \brief Equality and hash of FFI values that need no walk, with the results of tvm-ffi.
 */
#include "./value.h"

#include <tschema/tvm_ffi_compat.h>
#if TSCHEMA_FFI_HAS_BIG_INT
#include <tvm/ffi/big_int.h>
#endif
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>

#include "../reflection/field_value.h"

namespace tschema {

namespace {

bool EqualShapes(const ffi::ShapeObj* lhs, const ffi::ShapeObj* rhs) {
  return std::equal(lhs->data, lhs->data + lhs->size, rhs->data, rhs->data + rhs->size);
}

bool EqualTensors(const ffi::TensorObj* lhs, const ffi::TensorObj* rhs) {
  if (lhs == rhs) return true;
  if (!std::equal(lhs->shape, lhs->shape + lhs->ndim, rhs->shape, rhs->shape + rhs->ndim) ||
      std::memcmp(&lhs->dtype, &rhs->dtype, sizeof(DLDataType)) != 0) {
    return false;
  }
  CheckReadable(lhs, "compared");
  CheckReadable(rhs, "compared");
  return std::memcmp(DataOf(lhs), DataOf(rhs), ffi::GetDataSize(*lhs)) == 0;
}

uint64_t HashShape(const ffi::ShapeObj* shape, uint64_t hash) {
  hash = CombineHash(hash, shape->size);
  for (size_t i = 0; i < shape->size; ++i) hash = CombineHash(hash, shape->data[i]);
  return hash;
}

uint64_t HashTensor(const ffi::TensorObj* tensor, uint64_t hash) {
  hash = CombineHash(hash, tensor->ndim);
  for (int i = 0; i < tensor->ndim; ++i) hash = CombineHash(hash, tensor->shape[i]);
  TVMFFIAny dtype{};
  dtype.v_dtype = tensor->dtype;
  hash = CombineHash(hash, dtype.v_uint64);
  CheckReadable(tensor, "hashed");
  return CombineHash(hash, ffi::detail::StableHashBytes(DataOf(tensor), ffi::GetDataSize(*tensor)));
}

#if TSCHEMA_FFI_HAS_BIG_INT
uint64_t HashBigInt(const TVMFFIAny& value) {
  auto words = ffi::detail::BigIntUnsafe::GetArrayView(&value);
  return CombineHash(kTVMFFIBigInt,
                     ffi::detail::StableHashBytes(&words[0], words.size() * sizeof(int64_t)));
}
#else
uint64_t HashBigInt(const TVMFFIAny&) { TVM_FFI_UNREACHABLE(); }
#endif

uint64_t HashHeapBytes(const TVMFFIAny& value) {
  std::string_view contents = TextOf(value);
  return CombineHash(value.type_index,
                     ffi::detail::StableHashBytes(contents.data(), contents.size()));
}

}  // namespace

void CheckReadable(const ffi::TensorObj* tensor, const char* action) {
  TVM_FFI_CHECK(tensor->device.device_type == kDLCPU, ValueError)
      << "only tensors in the memory of the CPU can be " << action;
  TVM_FFI_CHECK(ffi::IsContiguous(*tensor), ValueError)
      << "only contiguous tensors can be " << action;
}

const char* DataOf(const ffi::TensorObj* tensor) {
  return static_cast<const char*>(tensor->data) + tensor->byte_offset;
}

namespace detail {

bool EqualUnlikeValues(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  bool are_comparable = (IsString(lhs.type_index) && IsString(rhs.type_index)) ||
                        (IsBytes(lhs.type_index) && IsBytes(rhs.type_index));
  return are_comparable && TextOf(lhs) == TextOf(rhs);
}

bool EqualHeapBytes(const TVMFFIAny& lhs, const TVMFFIAny& rhs) {
  return lhs.v_obj == rhs.v_obj || TextOf(lhs) == TextOf(rhs);
}

}  // namespace detail

bool EqualLeaves(const ffi::Object* lhs, const ffi::Object* rhs) {
  switch (lhs->type_index()) {
    case kTVMFFIShape:
      return EqualShapes(static_cast<const ffi::ShapeObj*>(lhs),
                         static_cast<const ffi::ShapeObj*>(rhs));
    case kTVMFFITensor:
      return EqualTensors(static_cast<const ffi::TensorObj*>(lhs),
                          static_cast<const ffi::TensorObj*>(rhs));
#if TSCHEMA_FFI_HAS_BIG_INT
    default: {
      TVMFFIAny lhs_value = ValueOf(lhs);
      TVMFFIAny rhs_value = ValueOf(rhs);
      return ffi::detail::int_ops::EqualFallback(
          ffi::detail::BigIntUnsafe::GetArrayView(&lhs_value),
          ffi::detail::BigIntUnsafe::GetArrayView(&rhs_value));
    }
#else
    default:
      TVM_FFI_UNREACHABLE();
#endif
  }
}

uint64_t HashFloat(double value) {
  TVMFFIAny raw{};
  raw.v_float64 = std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
  return CombineHash(kTVMFFIFloat, raw.v_uint64);
}

uint64_t HashValue(const TVMFFIAny& value) {
  switch (value.type_index) {
    case kTVMFFIFloat:
      return HashFloat(value.v_float64);
    case kTVMFFISmallStr:
      return CombineHash(kTVMFFIStr, ffi::detail::StableHashSmallStrBytes(&value));
    case kTVMFFIStr:
    case kTVMFFIBytes:
      return HashHeapBytes(value);
    default:
      return CombineHash(value.type_index, value.v_uint64);
  }
}

uint64_t HashLeaf(const ffi::Object* object, uint64_t key_hash) {
  switch (object->type_index()) {
    case kTVMFFIShape:
      return HashShape(static_cast<const ffi::ShapeObj*>(object), key_hash);
    case kTVMFFITensor:
      return HashTensor(static_cast<const ffi::TensorObj*>(object), key_hash);
    default:
      return HashBigInt(ValueOf(object));
  }
}

uint64_t HashKey(const TVMFFIAny& key) {
  if (key.type_index == kTVMFFIBigInt) return HashBigInt(key);
  if (key.type_index == kTVMFFIFloat) return CombineHash(key.type_index, key.v_uint64);
  return HashValue(key);
}

}  // namespace tschema
