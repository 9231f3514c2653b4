/*!
 * \file repr.cc
 * \brief Writes a value's text into one string, by a loop over an explicit stack.
 */
#include <tschema/pointer_map.h>
#include <tschema/repr.h>
#include <tschema/tvm_ffi_compat.h>
#include <tschema/type_info.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../reflection/attrs.h"
#include "../reflection/children.h"
#include "../reflection/field_value.h"
#include "../support/global_function.h"
#include "../support/stack.h"

namespace tschema {
namespace {

/*! \brief How objects of a type are written. */
struct TypeText {
  /*! \brief Those that are shown. */
  std::vector<const FieldInfo*> fields;
  /*! \brief The type's own function, or null. */
  ffi::Optional<ffi::Function> function;
  /*! \brief Whether tvm-ffi has a text for such objects. */
  bool is_foreign = false;
};

TypeText MakeTypeText(const TypeInfo& info) {
  TypeText text;
  ffi::Any function = GetTypeAttr(info.type_index, "__ffi_repr__");
  if (function != nullptr) text.function = function.cast<ffi::Function>();
  text.is_foreign = ffi::detail::IsObjectInstance<ffi::EnumObj>(info.type_index);
  for (const FieldInfo& field : info.fields) {
    bool is_hidden = (field.reflected->flags & kTVMFFIFieldFlagBitMaskReprOff) != 0;
    if (!is_hidden && info.Find(field.name) == &field) text.fields.push_back(&field);
  }
  return text;
}

/*! \brief Where a shared object's text is in the output. */
struct Extent {
  size_t begin;
  /*! \brief `kOpen` while the object is being written. */
  size_t size;
};

constexpr size_t kOpen = SIZE_MAX;

/*! \brief An object that is being written. */
struct Frame {
  const ffi::Object* object;
  /*! \brief Null for a container. */
  const TypeText* type;
  size_t begin;
  /*! \brief Parts written so far: fields, elements, or keys and values. */
  int64_t next;
  int64_t size;
};

class ReprEngine {
 public:
  /*! \param outer The engine that this one is called from, by the function of a type. */
  explicit ReprEngine(const ReprEngine* outer = nullptr) : outer_(outer) {
    const char* variable = std::getenv("TVM_FFI_REPR_WITH_ADDR");
    shows_addresses_ = variable != nullptr && std::string_view(variable) == "1";
  }

  ffi::String Run(ffi::AnyView value) {
    Write(value.CopyToTVMFFIAny());
    while (!stack_.empty()) Proceed();
    return ffi::String(std::move(output_));
  }

 private:
  // Values.

  void Write(const TVMFFIAny& value) {
    switch (value.type_index) {
      case kTVMFFINone:
        output_ += "None";
        return;
      case kTVMFFIBool:
        output_ += value.v_int64 != 0 ? "True" : "False";
        return;
      case kTVMFFIInt:
        output_ += std::to_string(value.v_int64);
        return;
      case kTVMFFIFloat:
        return WriteFloat(value.v_float64);
      case kTVMFFIDataType:
        return Append(ffi::DLDataTypeToString(value.v_dtype));
      case kTVMFFISmallStr:
      case kTVMFFIStr:
        return Append(ffi::EscapedStringPy(View(value).cast<ffi::String>()));
      default:
        if (const ffi::Object* object = ObjectIn(value)) return WriteObject(object);
        return Append(ffi::ReprPrint(View(value)));
    }
  }

  static ffi::AnyView View(const TVMFFIAny& value) {
    return ffi::AnyView::CopyFromTVMFFIAny(value);
  }

  void Append(const ffi::String& text) { output_.append(text.data(), text.size()); }

  void WriteFloat(double value) {
    char text[32];
    output_.append(text, std::snprintf(text, sizeof(text), "%g", value));
  }

  void WriteField(const FieldInfo& field, const ffi::Object* object) {
    if (field.kind != FieldKind::kForeign) return Write(ReadField(field, object));
    kept_.push_back(field.Read(object));
    Write(RawOf(kept_.back()));
  }

  // Objects.

  void WriteObject(const ffi::Object* object) {
    if (IsOpen(object)) return WriteEllipsis(object);
    if (const Extent* known = extents_.Find(object)) return WriteAgain(object, *known);
    int32_t type_index = object->type_index();
    bool is_container = IsSequence(type_index) || IsMapping(type_index);
    if (type_index < kTVMFFIDynObjectBegin && !is_container) return WriteForeign(object);
    const TypeText* type = is_container ? nullptr : &TextOf(type_index);
    size_t begin = output_.size();
    if (object->use_count() > 1) extents_.Set(object, {begin, kOpen});
    if (type != nullptr && type->function.has_value()) return WriteByFunction(object, *type, begin);
    if (type != nullptr && type->is_foreign) return WriteForeign(object);
    if (type != nullptr) return PushNode(object, *type, begin);
    PushContainer(object, begin);
  }

  bool IsOpen(const ffi::Object* object) const {
    const Extent* known = extents_.Find(object);
    if (known != nullptr) return known->size == kOpen;
    return outer_ != nullptr && outer_->IsOpen(object);
  }

  void WriteEllipsis(const ffi::Object* object) {
    output_ += "...";
    WriteAddress(object);
  }

  void WriteAgain(const ffi::Object* object, Extent extent) {
    constexpr size_t kShort = 256;
    constexpr size_t kLong = size_t{16} << 20;
    if (extent.size > kShort && output_.size() > kLong) return WriteEllipsis(object);
    output_.reserve(output_.size() + extent.size);
    output_.append(output_.data() + extent.begin, extent.size);
  }

  void WriteAddress(const ffi::Object* object) {
    if (!shows_addresses_) return;
    char text[32];
    auto address = reinterpret_cast<uintptr_t>(object);
    output_.append(text, std::snprintf(text, sizeof(text), "@0x%" PRIxPTR, address));
  }

  void WriteForeign(const ffi::Object* object) {
    size_t begin = output_.size();
    Append(ffi::ReprPrint(ffi::AnyView(object)));
    Close(object, begin);
  }

  void WriteByFunction(const ffi::Object* object, const TypeText& type, size_t begin) {
    auto repr = ffi::Function::FromTyped(
        [this](ffi::AnyView value) { return ReprEngine(this).Run(value); });
    Append((*type.function)(object, repr).cast<ffi::String>());
    Close(object, begin);
  }

  void Close(const ffi::Object* object, size_t begin) {
    if (Extent* extent = extents_.Find(object)) *extent = {begin, output_.size() - begin};
  }

  const TypeText& TextOf(int32_t type_index) {
    auto [place, is_new] = types_.try_emplace(type_index);
    if (is_new) place->second = MakeTypeText(TypeInfoOf(type_index));
    return place->second;
  }

  // Frames.

  void PushNode(const ffi::Object* object, const TypeText& type, size_t begin) {
    output_ += TypeInfoOf(object).key;
    WriteAddress(object);
    if (type.fields.empty()) return Close(object, begin);
    output_ += '(';
    stack_.Push({object, &type, begin, 0, static_cast<int64_t>(type.fields.size())});
  }

  void PushContainer(const ffi::Object* object, size_t begin) {
    int32_t type_index = object->type_index();
    if (IsSequence(type_index)) {
      output_ += type_index == kTVMFFIArray ? '(' : '[';
      stack_.Push({object, nullptr, begin, 0, static_cast<int64_t>(SizeOfSequence(object))});
    } else {
      output_ += '{';
      auto size = static_cast<int64_t>(MappingOf(object)->size());
      stack_.Push({object, nullptr, begin, 0, size * 2});
      positions_.Push(MappingOf(object)->begin());
    }
  }

  /*! \brief Write one part of the top frame's object, or its end. */
  void Proceed() {
    Frame& frame = stack_.Top();
    if (frame.next == frame.size) return Finish();
    int64_t place = frame.next++;
    const ffi::Object* object = frame.object;
    if (frame.type != nullptr) return WritePart(*frame.type->fields[place], object, place);
    if (IsMapping(object->type_index())) return WriteHalfEntry(place);
    if (place > 0) output_ += ", ";
    Write(ElementsOf(object)[place]);
  }

  void WritePart(const FieldInfo& field, const ffi::Object* object, int64_t place) {
    if (place > 0) output_ += ", ";
    output_ += field.name;
    output_ += '=';
    WriteField(field, object);
  }

  void WriteHalfEntry(int64_t place) {
    ffi::MapBaseObj::iterator& position = positions_.Top();
    bool is_key = place % 2 == 0;
    if (place > 0) output_ += is_key ? ", " : ": ";
    const ffi::Any& part = is_key ? position->first : position->second;
    if (!is_key) ++position;
    Write(RawOf(part));
  }

  void Finish() {
    Frame frame = stack_.Pop();
    int32_t type_index = frame.object->type_index();
    if (type_index == kTVMFFIArray && frame.size == 1) output_ += ',';
    output_ += type_index == kTVMFFIList ? ']' : IsMapping(type_index) ? '}' : ')';
    if (IsMapping(type_index)) positions_.Pop();
    if (frame.type == nullptr) WriteAddress(frame.object);
    Close(frame.object, frame.begin);
  }

  const ReprEngine* outer_;
  bool shows_addresses_;
  std::string output_;
  Stack<Frame> stack_;
  /*! \brief The positions in the maps on the stack. */
  Stack<ffi::MapBaseObj::iterator> positions_;
  /*! \brief The texts of objects with several references. */
  PointerMap<Extent> extents_;
  std::unordered_map<int32_t, TypeText> types_;
  /*! \brief Values that getters of foreign fields returned. */
  std::deque<ffi::Any> kept_;
};

}  // namespace

ffi::String Repr(ffi::AnyView value) { return ReprEngine().Run(value); }

namespace {

TVM_FFI_STATIC_INIT_BLOCK() { SetGlobalFunction("tschema.repr", ffi::Function::FromTyped(&Repr)); }

}  // namespace
}  // namespace tschema
