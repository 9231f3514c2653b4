/*!
 * \file table.cc
 * \brief Objects of dynamic types: copied from an image, destroyed by the table of their type.
 */
#include "./table.h"

#include <tschema/release.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/memory.h>

#include <cstring>

#include "./literal.h"

namespace tschema {
namespace dynamic {
namespace {

::tschema::detail::PerType<Table> tables;

void IncRef(TVMFFIObject* object) {
  if (object != nullptr) ffi::detail::ObjectUnsafe::IncRefObjectHandle(object);
}

}  // namespace

void PublishTable(const Table* table) { tables.Set(table->type_index(), table); }

const Table* TableOf(int32_t type_index) { return tables.Find(type_index); }

Table::Table(const Type& type, int32_t type_index, const Schema& schema)
    : type_(type), schema_(schema), type_index_(type_index) {
  for (Field& field : schema.Fields(type)) {
    ValueType value_type(field.type, schema);
    TVM_FFI_ICHECK_EQ(value_type.size(), field.size) << type.key << "." << field.name;
    std::string text = value_type.text();
    fields_.push_back({std::move(field), std::move(value_type), std::move(text)});
  }
  for (const Slotted& slotted : fields_) {
    auto offset = static_cast<uint32_t>(slotted.field.offset);
    if (slotted.type.storage() == Storage::kObject) pointers_.push_back(offset);
    if (slotted.type.storage() == Storage::kValue) values_.push_back(offset);
    if (!slotted.field.default_value) continue;
    CheckDefault(slotted);
    if (!slotted.field.init && slotted.field.default_value->factory.empty()) {
      derived_.push_back(&slotted);
    }
  }
  MakeImage();
}

void Table::CheckDefault(const Slotted& slotted) const {
  Slot slot = {type_.key.c_str(), slotted.field.name.c_str(), slotted.text.c_str()};
  slotted.type.Convert(MakeDefault(slotted), slot);
}

void Table::MakeImage() {
  auto size = static_cast<size_t>(type_.layout.size);
  image_ = std::make_unique<uint64_t[]>(size / sizeof(uint64_t));
  auto* header = reinterpret_cast<TVMFFIObject*>(image_.get());
  header->combined_ref_count = ffi::detail::kCombinedRefCountBothOne;
  header->type_index = type_index_;
  header->deleter = &Table::Delete;
  for (const Slotted& slotted : fields_) {
    slotted.type.Initialize(reinterpret_cast<char*>(image_.get()) + slotted.field.offset);
  }
}

ffi::ObjectPtr<ffi::Object> Table::Allocate(const void* image) const {
  auto size = static_cast<size_t>(type_.layout.size);
  void* object = ::tschema::detail::AllocateObject(size);
  std::memcpy(object, image, size);
  return ffi::detail::ObjectUnsafe::ObjectPtrFromOwned<ffi::Object>(
      static_cast<TVMFFIObject*>(object));
}

ffi::ObjectPtr<ffi::Object> Table::New() const {
  ffi::ObjectPtr<ffi::Object> object = Allocate(image_.get());
  if (!derived_.empty()) SetDerived(object.get());
  return object;
}

void Table::SetDerived(ffi::Object* object) const {
  for (const Slotted* slotted : derived_) {
    slotted->type.Assign(AddressOf(*slotted, object), MakeDefault(*slotted), Slot{});
  }
}

ffi::ObjectPtr<ffi::Object> Table::Copy(const ffi::Object* object) const {
  ffi::ObjectPtr<ffi::Object> copy = Allocate(image_.get());
  char* fields = reinterpret_cast<char*>(copy.get()) + sizeof(TVMFFIObject);
  std::memcpy(fields, reinterpret_cast<const char*>(object) + sizeof(TVMFFIObject),
              static_cast<size_t>(type_.layout.size) - sizeof(TVMFFIObject));
  char* base = reinterpret_cast<char*>(copy.get());
  for (uint32_t offset : pointers_) IncRef(*reinterpret_cast<TVMFFIObject**>(base + offset));
  for (uint32_t offset : values_) {
    auto* value = reinterpret_cast<TVMFFIAny*>(base + offset);
    if (value->type_index >= kTVMFFIStaticObjectBegin) IncRef(value->v_obj);
  }
  return copy;
}

void Table::Release(char* object) const {
  for (uint32_t offset : pointers_) ReleaseObject(object + offset);
  for (uint32_t offset : values_) ReleaseValue(object + offset);
  FinishRelease();
  // The remaining objects have other owners.
  for (uint32_t offset : pointers_) {
    auto* left = *reinterpret_cast<TVMFFIObject**>(object + offset);
    if (left != nullptr) ffi::detail::ObjectUnsafe::DecRefObjectHandle(left);
  }
  for (uint32_t offset : values_) {
    auto* left = reinterpret_cast<TVMFFIAny*>(object + offset);
    if (left->type_index >= kTVMFFIStaticObjectBegin) {
      ffi::detail::ObjectUnsafe::DecRefObjectHandle(left->v_obj);
    }
  }
}

void Table::Delete(void* object, int flags) {
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) != 0) {
    TableOf(static_cast<TVMFFIObject*>(object)->type_index)->Release(static_cast<char*>(object));
  }
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskWeak) != 0) ffi::detail::AlignedFree(object);
}

const Slotted& Table::Find(const std::string& name) const {
  for (const Slotted& slotted : fields_) {
    if (slotted.field.name == name) return slotted;
  }
  TVM_FFI_THROW(ValueError) << "malformed JSON IR: `" << type_.key << "` has no field `" << name
                            << "`";
  TVM_FFI_UNREACHABLE();
}

ffi::Any Table::MakeDefault(const Slotted& slotted) const {
  return MakeLiteral(*slotted.field.default_value, slotted.field.type, schema_);
}

}  // namespace dynamic
}  // namespace tschema
