/*!
 * \file value_type.cc
 * \brief Which type a reference names, and how it is stored.
 */
#include "./value_type.h"

#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace tschema {
namespace dynamic {
namespace {

constexpr int64_t kWord = 8;

int32_t IndexOf(const std::string& key) {
  TVMFFIByteArray bytes = {key.data(), key.size()};
  int32_t index = 0;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFITypeKeyToIndex(&bytes, &index));
  return index;
}

}  // namespace

ValueType::ValueType(const TypeRef& ref, const Schema& schema) : text_(ref.Text()) {
  for (const TypeRef& arg : ref.args) args_.emplace_back(arg, schema);
  SetKind(ref, schema);
  SetStorage();
  SetNeedsCheck();
}

void ValueType::SetKind(const TypeRef& ref, const Schema& schema) {
  if (ref.kind == "enum") {
    auto found = schema.enums.find(ref.key);
    if (found == schema.enums.end()) {
      TVM_FFI_THROW(ValueError) << "malformed JSON IR: there is no enum `" << ref.key << "`";
    }
    SetInteger(32, /*is_signed=*/true);
    kind_ = Kind::kEnum;
    members_ = &found->second;
  } else if (ref.kind == "node") {
    kind_ = Kind::kObject;
    type_index_ = IndexOf(ref.key);
    const Type* own = schema.Find(ref.key);
    if (own != nullptr) child_slots_ = static_cast<uint32_t>(own->layout.child_slots);
  } else if (!SetPlainKind(ref.kind) && !SetObjectKind(ref.kind)) {
    TVM_FFI_THROW(ValueError) << "malformed JSON IR: there is no type `" << ref.kind << "`";
  }
}

bool ValueType::SetPlainKind(const std::string& name) {
  struct Plain {
    const char* name;
    Kind kind;
    int64_t size;
    int64_t align;
  };
  static constexpr std::array<Plain, 5> kPlain = {{{"bool", Kind::kBool, 1, 1},
                                                   {"float32", Kind::kFloat, 4, 4},
                                                   {"float64", Kind::kFloat, 8, 8},
                                                   {"DataType", Kind::kDataType, 4, 2},
                                                   {"Device", Kind::kDevice, 8, 4}}};
  for (const Plain& plain : kPlain) {
    if (name != plain.name) continue;
    kind_ = plain.kind;
    size_ = plain.size;
    align_ = plain.align;
    return true;
  }
  for (int bits : {8, 16, 32, 64}) {
    for (const char* prefix : {"int", "uint"}) {
      if (name != prefix + std::to_string(bits)) continue;
      SetInteger(bits, /*is_signed=*/prefix[0] == 'i');
      return true;
    }
  }
  return false;
}

bool ValueType::SetObjectKind(const std::string& name) {
  struct Object {
    const char* name;
    Kind kind;
    int32_t type_index;
    bool is_nullable;
    size_t num_args;
  };
  constexpr size_t kAnyNumber = std::numeric_limits<size_t>::max();
  static constexpr std::array<Object, 15> kObjects = {{
      {"String", Kind::kString, kTVMFFIStr, false, 0},
      {"Bytes", Kind::kBytes, kTVMFFIBytes, false, 0},
      {"Any", Kind::kAny, kTVMFFIAny, false, 0},
      {"Object", Kind::kObject, kTVMFFIObject, true, 0},
      {"Function", Kind::kObject, kTVMFFIFunction, true, 0},
      {"Tensor", Kind::kObject, kTVMFFITensor, true, 0},
      {"Shape", Kind::kShape, kTVMFFIShape, false, 0},
      {"Module", Kind::kObject, kTVMFFIModule, false, 0},
      {"Optional", Kind::kOptional, kTVMFFIAny, false, 1},
      {"Array", Kind::kArray, kTVMFFIArray, false, 1},
      {"List", Kind::kList, kTVMFFIList, false, 1},
      {"Map", Kind::kMap, kTVMFFIMap, false, 2},
      {"Dict", Kind::kDict, kTVMFFIDict, false, 2},
      {"Tuple", Kind::kTuple, kTVMFFIArray, false, kAnyNumber},
      {"Union", Kind::kUnion, kTVMFFIAny, false, kAnyNumber},
  }};
  for (const Object& object : kObjects) {
    if (name != object.name) continue;
    kind_ = object.kind;
    type_index_ = object.type_index;
    is_nullable_ = object.is_nullable;
    return object.num_args == kAnyNumber || object.num_args == args_.size();
  }
  return false;
}

void ValueType::SetInteger(int bits, bool is_signed) {
  kind_ = Kind::kInt;
  size_ = align_ = bits / 8;
  high_ = std::numeric_limits<int64_t>::max();
  if (is_signed) {
    high_ >>= 64 - bits;
    low_ = -high_ - 1;
  } else if (bits < 64) {
    high_ = (int64_t{1} << bits) - 1;
  }
}

void ValueType::SetStorage() {
  bool is_reference = kind_ == Kind::kObject || kind_ == Kind::kShape || is_container();
  if (kind_ <= Kind::kDevice) {
    storage_ = Storage::kPlain;
  } else if (is_reference || (kind_ == Kind::kOptional && args_[0].storage_ == Storage::kObject)) {
    storage_ = Storage::kObject;
    size_ = align_ = kWord;
  } else {
    storage_ = Storage::kValue;
    size_ = sizeof(TVMFFIAny);
    align_ = kWord;
  }
}

void ValueType::SetNeedsCheck() {
  needs_check_ = is_checked_integer() || kind_ == Kind::kObject || kind_ == Kind::kShape ||
                 kind_ == Kind::kUnion ||
                 std::any_of(args_.begin(), args_.end(),
                             [](const ValueType& type) { return type.needs_check_; });
}

void ValueType::Initialize(void* address) const {
  if (storage_ != Storage::kValue) return;
  auto* value = static_cast<TVMFFIAny*>(address);
  if (kind_ == Kind::kString) value->type_index = kTVMFFISmallStr;
  if (kind_ == Kind::kBytes) value->type_index = kTVMFFISmallBytes;
  if (kind_ != Kind::kUnion || args_.empty()) return;
  // A variant starts as its first alternative.
  const ValueType& first = args_[0];
  if (first.kind_ == Kind::kBool) value->type_index = kTVMFFIBool;
  if (first.kind_ == Kind::kInt || first.kind_ == Kind::kEnum) value->type_index = kTVMFFIInt;
  if (first.kind_ == Kind::kFloat) value->type_index = kTVMFFIFloat;
  if (first.kind_ == Kind::kDataType) value->type_index = kTVMFFIDataType;
  if (first.kind_ == Kind::kDevice) value->type_index = kTVMFFIDevice;
  if (first.storage_ == Storage::kValue) first.Initialize(address);
}

void ValueType::Assign(void* address, ffi::AnyView value, const Slot& slot) const {
  switch (storage_) {
    case Storage::kPlain:
      // Most integers need no more than this.
      if (kind_ == Kind::kInt && value.type_index() == kTVMFFIInt && size_ == kWord && low_ < 0) {
        int64_t number = value.CopyToTVMFFIAny().v_int64;
        std::memcpy(address, &number, sizeof(number));
        return;
      }
      return StorePlain(address, Convert(value, slot));
    case Storage::kObject: {
      auto& field = *static_cast<ffi::ObjectPtr<ffi::Object>*>(address);
      if (kind_ == Kind::kObject && IsInstance(value.type_index())) {
        field = ffi::detail::ObjectUnsafe::ObjectPtrFromUnowned<ffi::Object>(
            value.CopyToTVMFFIAny().v_obj);
        return;
      }
      TVMFFIAny raw = ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(Convert(value, slot));
      field = raw.type_index == kTVMFFINone
                  ? nullptr
                  : ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(raw.v_obj);
      return;
    }
    case Storage::kValue:
      *static_cast<ffi::Any*>(address) = Convert(value, slot);
      return;
  }
}

void ValueType::StorePlain(void* address, ffi::AnyView value) const {
  TVMFFIAny raw = value.CopyToTVMFFIAny();
  if (kind_ == Kind::kFloat && size_ == sizeof(float)) {
    auto single = static_cast<float>(raw.v_float64);
    std::memcpy(address, &single, sizeof(single));
  } else if (kind_ == Kind::kBool) {
    *static_cast<bool*>(address) = raw.v_int64 != 0;
  } else {
    // Integers lose their upper bytes, which the range leaves empty: the machine is little-endian.
    std::memcpy(address, &raw.v_int64, static_cast<size_t>(size_));
  }
}

bool ValueType::IsDescendant(int32_t type_index) const {
  if (type_index < kTVMFFIStaticObjectBegin) return false;
  if (type_index_ == kTVMFFIObject) return true;
  const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(type_index);
  int32_t depth = TVMFFIGetTypeInfo(type_index_)->type_depth;
  return info->type_depth > depth && info->type_ancestors[depth]->type_index == type_index_;
}

}  // namespace dynamic
}  // namespace tschema
