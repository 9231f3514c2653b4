/*!
 * \file defaults.cc
 * \brief Defaults that most fields have.
 */
#include <tschema/defaults.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/function.h>

namespace tschema {
namespace {

template <ffi::Any (*kMake)()>
ffi::Any Factory() {
  return ffi::Function::FromPacked(
      [](const ffi::AnyView*, int32_t, ffi::Any* result) { *result = kMake(); });
}

}  // namespace

ffi::Any None() { return nullptr; }
ffi::Any EmptyArray() { return ffi::Array<ffi::Any>(); }
ffi::Any EmptyMap() { return ffi::Map<ffi::Any, ffi::Any>(); }
ffi::Any EmptyList() { return ffi::List<ffi::Any>(); }
ffi::Any EmptyDict() { return ffi::Dict<ffi::Any, ffi::Any>(); }

ffi::Any ArrayFactory() { return Factory<&EmptyArray>(); }
ffi::Any MapFactory() { return Factory<&EmptyMap>(); }
ffi::Any ListFactory() { return Factory<&EmptyList>(); }
ffi::Any DictFactory() { return Factory<&EmptyDict>(); }

}  // namespace tschema
