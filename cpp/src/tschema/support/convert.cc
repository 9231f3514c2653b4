/*!
 * \file convert.cc
 * \brief The error messages of `tschema/convert.h` and `tschema/value_check.h`.
 */
#include <tschema/convert.h>
#include <tvm/ffi/error.h>

#include <string>

namespace tschema {
namespace {

/*! \brief `uir.tir.Add: argument `a``, or, for a setter that has no names, `the field`. */
std::string Where(const Slot& slot) {
  if (slot.name == nullptr) return "the field";
  return std::string(slot.owner) + ": argument `" + slot.name + "`";
}

/*! \brief The type of a value, spelled as in a schema. */
std::string TypeOf(ffi::AnyView value) {
  switch (value.type_index()) {
    case kTVMFFIRawStr:
    case kTVMFFISmallStr:
    case kTVMFFIStr:
      return "String";
    case kTVMFFIByteArrayPtr:
    case kTVMFFISmallBytes:
    case kTVMFFIBytes:
      return "Bytes";
    default:
      return value.GetTypeKey();
  }
}

}  // namespace

void ThrowWrongType(const Slot& slot, ffi::AnyView value) {
  std::string expected = slot.type == nullptr ? "" : std::string(" `") + slot.type + "`, not";
  TVM_FFI_THROW(TypeError) << Where(slot) << (expected.empty() ? " cannot hold" : " must be")
                           << expected << " `" << TypeOf(value) << "`";
  TVM_FFI_UNREACHABLE();
}

void ThrowOutOfRange(const Slot& slot, int64_t value, int64_t low, uint64_t high) {
  TVM_FFI_THROW(ValueError) << Where(slot) << " must be between " << low << " and " << high
                            << ", not " << value;
  TVM_FFI_UNREACHABLE();
}

void ThrowNotAMember(const Slot& slot, int64_t value) {
  TVM_FFI_THROW(ValueError) << Where(slot) << " must be a member of "
                            << (slot.type == nullptr ? "its enum"
                                                     : std::string("`") + slot.type + "`")
                            << ", not " << value;
  TVM_FFI_UNREACHABLE();
}

namespace detail {

void ThrowNotAnInteger(const Slot& slot, ffi::AnyView value) {
  if (value.type_index() != kTVMFFIBigInt) ThrowWrongType(slot, value);
  TVM_FFI_THROW(ValueError) << Where(slot)
                            << " must be an integer of at most 64 bits, sign included";
  TVM_FFI_UNREACHABLE();
}

}  // namespace detail
}  // namespace tschema
