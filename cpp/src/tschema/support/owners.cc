/*!
 * \file owners.cc
 * \brief One mutable map, shared by all copies of libtschema in the process.
 */
#include "./owners.h"

#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

namespace tschema {
namespace {

constexpr const char* kStateFunction = "tschema.registration_state";
constexpr const char* kErrors = "errors";
constexpr const char* kFunctionPrefix = "function:";
constexpr const char* kPackagePrefix = "package:";

using OwnedState = ffi::Dict<ffi::String, ffi::Any>;

OwnedState SharedState() {
  static const OwnedState state = [] {
    if (auto shared = ffi::Function::GetGlobal(kStateFunction))
      return (*shared)().cast<OwnedState>();
    OwnedState fresh;
    fresh.Set(kErrors, ffi::List<ffi::String>());
    ffi::reflection::GlobalDef().def(kStateFunction, [fresh]() { return fresh; });
    return fresh;
  }();
  return state;
}

ffi::List<ffi::String> Errors() { return SharedState()[kErrors].cast<ffi::List<ffi::String>>(); }

/*! \brief The digest of a registered package, None if there is no such package. */
ffi::Any PackageDigest(const ffi::String& package) {
  return SharedState().Get(kPackagePrefix + std::string(package)).value_or(nullptr);
}

}  // namespace

void RecordError(const std::string& text) { Errors().push_back(text); }

void SetFunctionOwner(const std::string& name, const std::string& owner) {
  SharedState().Set(kFunctionPrefix + name, ffi::String(owner));
}

std::string FunctionOwner(const std::string& name) {
  ffi::Optional<ffi::Any> owner = SharedState().Get(kFunctionPrefix + name);
  return owner ? std::string(owner.value().cast<ffi::String>()) : "code that does not use tschema";
}

void SetPackageDigest(const std::string& package, const std::string& digest) {
  SharedState().Set(kPackagePrefix + package, ffi::String(digest));
}

ffi::Array<ffi::String> RegistrationErrors() {
  ffi::Array<ffi::String> errors;
  for (const ffi::String& error : Errors()) errors.push_back(error);
  return errors;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  if (ffi::Function::GetGlobal("tschema.registration_errors")) return;
  ffi::reflection::GlobalDef()
      .def("tschema.registration_errors", RegistrationErrors)
      .def("tschema.package_digest", PackageDigest);
}

}  // namespace tschema
