/*!
 * \file value_type.cc
 * \brief Which type a reference names, and how it is stored.
 */
#include "./value_type.h"

#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_key.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tschema {
namespace dynamic {
namespace {

constexpr int64_t kAnyWord = 8;

bool HasArguments(TypeExpr::Kind kind, size_t count) {
  switch (kind) {
    case TypeExpr::Kind::kTuple:
    case TypeExpr::Kind::kUnion:
      return true;
    case TypeExpr::Kind::kMap:
    case TypeExpr::Kind::kDict:
      return count == 2;
    case TypeExpr::Kind::kOptional:
    case TypeExpr::Kind::kArray:
    case TypeExpr::Kind::kList:
      return count == 1;
    default:
      return count == 0;
  }
}

}  // namespace

Extent ExtentOf(const TypeRef& ref) {
  if (ref.kind == "enum") return {4, 4};
  bool is_optional = ref.kind == "Optional" && !ref.args.empty();
  const std::string& kind = is_optional ? ref.args[0].kind : ref.kind;
  for (const char* object : {"node", "Object", "Function", "Tensor", "Shape", "Module", "Array",
                             "List", "Map", "Dict", "Tuple"}) {
    if (kind == object) return {kAnyWord, kAnyWord};
  }
  if (is_optional) return {sizeof(TVMFFIAny), kAnyWord};
  for (const auto& [plain, extent] :
       {std::pair{"bool", Extent{1, 1}}, std::pair{"DataType", Extent{4, 2}},
        std::pair{"Device", Extent{8, 4}}, std::pair{"float32", Extent{4, 4}},
        std::pair{"float64", Extent{8, 8}}}) {
    if (kind == plain) return extent;
  }
  for (int bits : {8, 16, 32, 64}) {
    std::string digits = std::to_string(bits);
    if (kind == "int" + digits || kind == "uint" + digits) return {bits / 8, bits / 8};
  }
  return {sizeof(TVMFFIAny), kAnyWord};
}

ValueType::ValueType(const TypeRef& ref, const Schema& schema)
    : extent_(ExtentOf(ref)), text_(ref.Text()) {
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
    kind_ = Kind::kEnum;
    members_ = &found->second;
  } else if (ref.kind == "node") {
    kind_ = Kind::kObject;
    type_index_ = RequireTypeIndex(ref.key);
    const Type* own = schema.Find(ref.key);
    if (own != nullptr) child_slots_ = static_cast<uint32_t>(own->layout.child_slots);
  } else {
    SetNamedKind(ref.kind);
  }
}

void ValueType::SetNamedKind(const std::string& name) {
  std::optional<TypeExpr> type = FindTypeExpr(name);
  if (!type || !HasArguments(type->kind, args_.size())) {
    TVM_FFI_THROW(ValueError) << "malformed JSON IR: there is no type `" << name << "`";
  }
  kind_ = type->kind;
  type_index_ = type->type_index;
  low_ = type->low;
  high_ = type->high;
  is_nullable_ =
      kind_ == Kind::kObject && type_index_ != kTVMFFIShape && type_index_ != kTVMFFIModule;
}

void ValueType::SetStorage() {
  if (Kind::kBool <= kind_ && kind_ <= Kind::kDevice) {
    storage_ = Storage::kPlain;
  } else {
    storage_ = extent_.size == kAnyWord ? Storage::kObject : Storage::kValue;
  }
}

void ValueType::SetNeedsCheck() {
  needs_check_ = is_checked_integer() || kind_ == Kind::kObject || kind_ == Kind::kUnion ||
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
      if (kind_ == Kind::kInt && value.type_index() == kTVMFFIInt && extent_.size == kAnyWord &&
          low_ < 0) {
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
  if (kind_ == Kind::kFloat && extent_.size == sizeof(float)) {
    auto single = static_cast<float>(raw.v_float64);
    std::memcpy(address, &single, sizeof(single));
  } else if (kind_ == Kind::kBool) {
    *static_cast<bool*>(address) = raw.v_int64 != 0;
  } else {
    // Integers lose their upper bytes, which the range leaves empty: the machine is little-endian.
    std::memcpy(address, &raw.v_int64, static_cast<size_t>(extent_.size));
  }
}

}  // namespace dynamic
}  // namespace tschema
