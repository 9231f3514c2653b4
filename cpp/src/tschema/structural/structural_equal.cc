/*!
 * \file structural_equal.cc
 * \brief Structural equality of values, and the first mismatch.
 */
#include <tschema/structural_equal.h>
#include <tschema/tvm_ffi_compat.h>
#include <tvm/ffi/container/tuple.h>
#include <tvm/ffi/function.h>

#include "../support/global_function.h"
#include "./equal_engine.h"

namespace tschema {

namespace {

using ffi::reflection::AccessStep;

TVMFFIDefRegionKind RootRegion(bool map_free_vars) {
  return map_free_vars ? kTVMFFIDefRegionKindPattern : kTVMFFIDefRegionKindNone;
}

using MismatchTuple = ffi::Tuple<ffi::Array<AccessStep>, ffi::Array<AccessStep>, ffi::String>;

ffi::Optional<MismatchTuple> FirstMismatchTuple(ffi::AnyView lhs, ffi::AnyView rhs,
                                                bool map_free_vars) {
  std::optional<Mismatch> mismatch = FirstMismatch(lhs, rhs, map_free_vars);
  if (!mismatch) return std::nullopt;
  return MismatchTuple(mismatch->lhs, mismatch->rhs, mismatch->text);
}

TVM_FFI_STATIC_INIT_BLOCK() {
  SetGlobalFunction("tschema.structural_equal", ffi::Function::FromTyped(StructuralEqual));
  SetGlobalFunction("tschema.first_mismatch", ffi::Function::FromTyped(FirstMismatchTuple));
}

}  // namespace

bool StructuralEqual(ffi::AnyView lhs, ffi::AnyView rhs, bool map_free_vars) {
  // A view may refer to text that is not a value yet.
  ffi::Any lhs_value = lhs;
  ffi::Any rhs_value = rhs;
  EqualEngine engine(RootRegion(map_free_vars), EqualEngine::Order::kFast);
  return engine.Compare(RawOf(lhs_value), RawOf(rhs_value));
}

std::optional<Mismatch> FirstMismatch(ffi::AnyView lhs, ffi::AnyView rhs, bool map_free_vars) {
  ffi::Any lhs_value = lhs;
  ffi::Any rhs_value = rhs;
  EqualEngine engine(RootRegion(map_free_vars), EqualEngine::Order::kDeclared);
  if (engine.Compare(RawOf(lhs_value), RawOf(rhs_value))) return std::nullopt;
  MismatchPath path = engine.Path();
  Mismatch mismatch;
  for (auto step = path.reversed_steps.rbegin(); step != path.reversed_steps.rend(); ++step) {
    mismatch.lhs.push_back(step->lhs);
    mismatch.rhs.push_back(step->rhs);
  }
  mismatch.text = DescribeMismatch(path);
  return mismatch;
}

ffi::reflection::AccessPathPair Mismatch::Paths() const {
  using ffi::reflection::AccessPath;
  return ffi::reflection::AccessPathPair(AccessPath::FromSteps(lhs), AccessPath::FromSteps(rhs));
}

}  // namespace tschema
