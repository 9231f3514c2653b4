/*!
 * \file bound_arguments.cc
 * \brief Defaults, named arguments, and the errors of a call.
 */
#include "./bound_arguments.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/string.h>

#include <algorithm>
#include <utility>

namespace tschema {
namespace {

/*! \brief Marks the start of named arguments in tvm-ffi's keyword protocol. */
const TVMFFIObject* KeywordMarker() {
  static const ffi::ObjectRef marker =
      ffi::Function::GetGlobalRequired("ffi.GetKwargsObject")().cast<ffi::ObjectRef>();
  return reinterpret_cast<const TVMFFIObject*>(marker.get());
}

/*! \brief Stands for an argument that is left out, where others follow. */
const TVMFFIObject* MissingMarker() {
  static const ffi::ObjectRef marker =
      ffi::Function::GetGlobalRequired("ffi.GetInvalidObject")().cast<ffi::ObjectRef>();
  return reinterpret_cast<const TVMFFIObject*>(marker.get());
}

/*! \brief Only a bare `ffi.Object` can be a marker; a number may have the same bits. */
bool IsKeywordMarker(const TVMFFIAny& value) {
  return value.type_index == kTVMFFIObject && value.v_obj == KeywordMarker();
}

bool IsMissingMarker(const TVMFFIAny& value) {
  return value.type_index == kTVMFFIObject && value.v_obj == MissingMarker();
}

bool IsMarker(const TVMFFIAny& value) { return IsKeywordMarker(value) || IsMissingMarker(value); }

}  // namespace

bool ArePositional(int32_t num_parameters, const TVMFFIAny* args, int32_t num_args) {
  return num_args == num_parameters && std::none_of(args, args + num_args, &IsMarker);
}

BoundArguments::BoundArguments(const Signature& signature, const TVMFFIAny* args, int32_t num_args)
    : signature_(signature), values_(signature.size()), given_(signature.size()) {
  int32_t position = 0;
  while (position < num_args && !IsKeywordMarker(args[position])) {
    if (position == signature_.size()) ThrowTooMany(num_args);
    Give(position, args[position]);
    ++position;
  }
  for (int32_t i = position + 1; i < num_args; i += 2) {
    if (i + 1 == num_args) ThrowNoValue(args[i]);
    GiveNamed(args[i], args[i + 1]);
  }
  for (int32_t i = 0; i < signature_.size(); ++i) FillIn(i);
}

void BoundArguments::Give(int32_t index, const TVMFFIAny& value) {
  if (given_[index]) {
    TVM_FFI_THROW(TypeError) << signature_.name() << ": argument `"
                             << signature_.ParameterName(index) << "` is given twice";
  }
  if (IsMissingMarker(value)) return;
  given_[index] = true;
  values_[index] = value;
}

void BoundArguments::GiveNamed(const TVMFFIAny& key, const TVMFFIAny& value) {
  ffi::String name = ffi::AnyView::CopyFromTVMFFIAny(key).cast<ffi::String>();
  for (int32_t i = 0; i < signature_.size(); ++i) {
    if (name == signature_.ParameterName(i)) return Give(i, value);
  }
  TVM_FFI_THROW(TypeError) << signature_.name() << ": there is no argument `" << name << "`";
}

void BoundArguments::FillIn(int32_t index) {
  if (given_[index]) return;
  if (!signature_.HasDefault(index)) {
    TVM_FFI_THROW(TypeError) << signature_.name() << ": argument `"
                             << signature_.ParameterName(index) << "` is missing";
  }
  ffi::Any value = signature_.MakeDefault(index);
  values_[index] = ffi::AnyView(value).CopyToTVMFFIAny();
  // A plain value, as most defaults are, needs no owner.
  if (value.type_index() >= kTVMFFIStaticObjectBegin) defaults_.push_back(std::move(value));
}

void BoundArguments::ThrowNoValue(const TVMFFIAny& key) const {
  TVM_FFI_THROW(TypeError) << signature_.name() << ": argument `"
                           << ffi::AnyView::CopyFromTVMFFIAny(key).cast<ffi::String>()
                           << "` is named, but has no value";
  TVM_FFI_UNREACHABLE();
}

void BoundArguments::ThrowTooMany(int32_t num_args) const {
  TVM_FFI_THROW(TypeError) << signature_.name() << ": takes at most " << signature_.size()
                           << " arguments, not " << num_args;
  TVM_FFI_UNREACHABLE();
}

}  // namespace tschema
