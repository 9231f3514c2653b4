/*!
 * \file convert.cc
 * \brief The error messages of `tschema/convert.h` and `tschema/value_check.h`.
 */
#include <tschema/convert.h>
#include <tschema/tvm_ffi_compat.h>
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

std::string WrongElement(const ffi::SeqBaseObj& sequence, detail::PartCheck takes) {
  for (size_t index = 0; index < sequence.size(); ++index) {
    const ffi::Any& element = sequence.begin()[index];
    if (!takes(element)) {
      return "element " + std::to_string(index) + " is `" + TypeOf(element) + "`";
    }
  }
  return "";
}

std::string WrongEntry(const ffi::MapBaseObj& map, detail::PartCheck key,
                       detail::PartCheck mapped) {
  for (const auto& [entry_key, value] : map) {
    if (!key(entry_key)) return "a key is `" + TypeOf(entry_key) + "`";
    if (!mapped(value)) return "a value is `" + TypeOf(value) + "`";
  }
  return "";
}

/*! \brief The first part of a container that does not fit, as ``element 1 is `String` ``, or "". */
std::string WrongPart(ffi::AnyView value, detail::PartCheck key, detail::PartCheck mapped) {
  if (const auto* sequence = value.as<ffi::ArrayObj>();
      sequence != nullptr && key.takes == nullptr) {
    return WrongElement(*sequence, mapped);
  }
  if (const auto* sequence = value.as<ffi::ListObj>();
      sequence != nullptr && key.takes == nullptr) {
    return WrongElement(*sequence, mapped);
  }
  if (const auto* map = value.as<ffi::MapObj>(); map != nullptr && key.takes != nullptr) {
    return WrongEntry(*map, key, mapped);
  }
  if (const auto* map = value.as<ffi::DictObj>(); map != nullptr && key.takes != nullptr) {
    return WrongEntry(*map, key, mapped);
  }
  return "";
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

void ThrowWrongPart(const Slot& slot, ffi::AnyView value, PartCheck key, PartCheck mapped) {
  std::string part = WrongPart(value, key, mapped);
  if (part.empty()) ThrowWrongType(slot, value);
  std::string expected =
      slot.type == nullptr ? "a container of other values" : std::string("`") + slot.type + "`";
  TVM_FFI_THROW(TypeError) << Where(slot) << " must be " << expected << ", but " << part;
  TVM_FFI_UNREACHABLE();
}

void ThrowNotAnInteger(const Slot& slot, ffi::AnyView value) {
  if (value.type_index() != kTVMFFIBigInt) ThrowWrongType(slot, value);
  TVM_FFI_THROW(ValueError) << Where(slot)
                            << " must be an integer of at most 64 bits, sign included";
  TVM_FFI_UNREACHABLE();
}

}  // namespace detail
}  // namespace tschema
