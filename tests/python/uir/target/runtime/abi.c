// What the runtime knows of the ABI of tvm-ffi and DLPack is what their headers say.
//
// renamed.h gives the types and functions of the runtime other names than those of the headers.
// clang-format off
#include "renamed.h"
#include "uir/target/runtime/object.c"
#include "restored.h"
// clang-format on
#include <tvm/ffi/c_api.h>

#define SAME(one, other) _Static_assert((int)(one) == (int)(other), #one " is not " #other)
#define SAME_FIELD(type, one, other)                          \
  SAME(offsetof(runtime_##type, one), offsetof(type, other)); \
  SAME(sizeof(((runtime_##type*)0)->one), sizeof(((type*)0)->other))
#define SAME_SIZE(type) SAME(sizeof(runtime_##type), sizeof(type))

SAME(kNone, kTVMFFINone);
SAME(kInt, kTVMFFIInt);
SAME(kBool, kTVMFFIBool);
SAME(kFloat, kTVMFFIFloat);
SAME(kPointer, kTVMFFIOpaquePtr);
SAME(kDLTensor, kTVMFFIDLTensorPtr);
SAME(kText, kTVMFFIRawStr);
SAME(kShortString, kTVMFFISmallStr);
SAME(kFirstObject, kTVMFFIStaticObjectBegin);
SAME(kString, kTVMFFIStr);
SAME(kFunction, kTVMFFIFunction);
SAME(kTensor, kTVMFFITensor);
SAME(kArray, kTVMFFIArray);
SAME(kMap, kTVMFFIMap);
SAME(kModule, kTVMFFIModule);
SAME(kList, kTVMFFIList);
SAME(kDict, kTVMFFIDict);
SAME(kFirstRegistered, kTVMFFIDynObjectBegin);
SAME(runtime_kDLCPU, kDLCPU);
SAME(runtime_kDLBool, kDLBool);

SAME_SIZE(TVMFFIAny);
SAME_FIELD(TVMFFIAny, type_index, type_index);
SAME_FIELD(TVMFFIAny, v_int64, v_int64);
SAME_FIELD(TVMFFIAny, v_float64, v_float64);
SAME_FIELD(TVMFFIAny, v_ptr, v_ptr);
SAME_SIZE(TVMFFIObject);
SAME_FIELD(TVMFFIObject, references, combined_ref_count);
SAME_FIELD(TVMFFIObject, type_index, type_index);
SAME_FIELD(TVMFFIObject, deleter, deleter);
SAME_SIZE(DLDataType);
SAME_SIZE(DLTensor);
SAME_FIELD(DLTensor, data, data);
SAME_FIELD(DLTensor, device.device_type, device.device_type);
SAME_FIELD(DLTensor, device.device_id, device.device_id);
SAME_FIELD(DLTensor, ndim, ndim);
SAME_FIELD(DLTensor, dtype, dtype);
SAME_FIELD(DLTensor, shape, shape);
SAME_FIELD(DLTensor, strides, strides);
SAME_FIELD(DLTensor, byte_offset, byte_offset);
SAME_SIZE(DLManagedTensor);
SAME_FIELD(DLManagedTensor, dl_tensor, dl_tensor);
SAME_FIELD(DLManagedTensor, manager_ctx, manager_ctx);
SAME_FIELD(DLManagedTensor, deleter, deleter);
SAME_SIZE(TVMFFIByteArray);
SAME_FIELD(TVMFFIByteArray, data, data);
SAME_FIELD(TVMFFIByteArray, size, size);
SAME_FIELD(TVMFFIFieldInfo, name, name);
SAME_FIELD(TVMFFIFieldInfo, size, size);
SAME_FIELD(TVMFFIFieldInfo, offset, offset);
SAME_FIELD(TVMFFIFieldInfo, static_type_index, field_static_type_index);
SAME_SIZE(TVMFFIFieldInfo);
SAME_FIELD(TVMFFITypeInfo, type_index, type_index);
SAME_FIELD(TVMFFITypeInfo, type_depth, type_depth);
SAME_FIELD(TVMFFITypeInfo, type_key, type_key);
SAME_FIELD(TVMFFITypeInfo, type_ancestors, type_ancestors);
SAME_FIELD(TVMFFITypeInfo, num_fields, num_fields);
SAME_FIELD(TVMFFITypeInfo, fields, fields);
