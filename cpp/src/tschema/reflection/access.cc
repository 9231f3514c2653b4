/*!
 * \file access.cc
 * \brief The getters that do not depend on the field's type.
 */
#include <tschema/access.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

namespace tschema {
namespace detail {

int RefuseNull() {
  TVM_FFI_SAFE_CALL_BEGIN();
  TVM_FFI_THROW(TypeError) << "the object has no content: its constructor has not run";
  TVM_FFI_SAFE_CALL_END();
}

int GetObjectField(void* field, TVMFFIAny* result) {
  if (__builtin_expect(IsOfNull(field), 0)) return RefuseNull();
  TVMFFIObject* object = *static_cast<TVMFFIObject**>(field);
  result->zero_padding = 0;
  result->v_int64 = 0;
  if (object == nullptr) {
    result->type_index = kTVMFFINone;
    return 0;
  }
  result->type_index = object->type_index;
  result->v_obj = object;
  return TVMFFIObjectIncRef(object);
}

int GetAnyField(void* field, TVMFFIAny* result) {
  if (__builtin_expect(IsOfNull(field), 0)) return RefuseNull();
  *result = *static_cast<const TVMFFIAny*>(field);
  if (result->type_index < kTVMFFIStaticObjectBegin) return 0;
  return TVMFFIObjectIncRef(result->v_obj);
}

}  // namespace detail
}  // namespace tschema
