// Short descriptions of objects for messages: an address, or a bounded text.
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/reflection/accessor.h>
#include <tvm/ffi/string.h>
#include <uir/ir/diagnostics.h>

#include <sstream>
#include <string>

namespace uir::ir {

namespace {

/*! \brief Writes a value for a message, with limits on its depth and length. */
class Describer {
 public:
  std::string Describe(const ffi::Any& value) {
    Visit(value, kMaxDepth);
    return out_.str();
  }

 private:
  static constexpr int kMaxDepth = 3;
  static constexpr int kMaxItems = 4;
  static constexpr size_t kMaxText = 40;
  static constexpr std::streamoff kMaxLength = 240;

  void Visit(const ffi::Any& value, int depth) {
    if (out_.tellp() > kMaxLength) {
      out_ << "...";
    } else if (std::optional<ffi::String> text = value.try_cast<ffi::String>()) {
      VisitText(*text);
    } else if (value.type_index() < ffi::TypeIndex::kTVMFFIStaticObjectBegin) {
      VisitPlain(value);
    } else if (std::optional<ffi::Array<ffi::Any>> array = value.as<ffi::Array<ffi::Any>>()) {
      VisitSequence(*array, depth);
    } else if (std::optional<ffi::List<ffi::Any>> list = value.as<ffi::List<ffi::Any>>()) {
      VisitSequence(*list, depth);
    } else if (auto map = value.as<ffi::Map<ffi::Any, ffi::Any>>()) {
      VisitMapping(*map, depth);
    } else if (auto dict = value.as<ffi::Dict<ffi::Any, ffi::Any>>()) {
      VisitMapping(*dict, depth);
    } else {
      VisitObject(value.cast<ffi::ObjectRef>(), depth);
    }
  }

  void VisitText(const ffi::String& text) {
    out_ << '"' << std::string(text).substr(0, kMaxText) << (text.size() > kMaxText ? "..." : "")
         << '"';
  }

  void VisitPlain(const ffi::Any& value) {
    switch (value.type_index()) {
      case ffi::TypeIndex::kTVMFFINone:
        out_ << "None";
        break;
      case ffi::TypeIndex::kTVMFFIBool:
        out_ << (value.cast<bool>() ? "True" : "False");
        break;
      case ffi::TypeIndex::kTVMFFIInt:
        out_ << value.cast<int64_t>();
        break;
      case ffi::TypeIndex::kTVMFFIFloat:
        out_ << value.cast<double>();
        break;
      case ffi::TypeIndex::kTVMFFIDataType:
        out_ << value.cast<DLDataType>();
        break;
      default:
        out_ << '<' << value.GetTypeKey() << '>';
    }
  }

  template <typename Sequence>
  void VisitSequence(const Sequence& sequence, int depth) {
    out_ << '[';
    int count = 0;
    for (const ffi::Any& item : sequence) {
      if (!Separate(&count, depth)) break;
      Visit(item, depth - 1);
    }
    out_ << ']';
  }

  template <typename Mapping>
  void VisitMapping(const Mapping& mapping, int depth) {
    out_ << '{';
    int count = 0;
    for (const auto& [key, item] : mapping) {
      if (!Separate(&count, depth)) break;
      Visit(key, depth - 1);
      out_ << ": ";
      Visit(item, depth - 1);
    }
    out_ << '}';
  }

  /*! \brief Start an item; beyond the limits, write dots and return false. */
  bool Separate(int* count, int depth) {
    if (*count > 0) out_ << ", ";
    if (depth > 0 && (*count)++ < kMaxItems) return true;
    out_ << "...";
    return false;
  }

  void VisitObject(const ffi::ObjectRef& object, int depth) {
    const ffi::TypeInfo* info = TVMFFIGetTypeInfo(object->type_index());
    const std::string key(info->type_key.data, info->type_key.size);
    if (info->num_fields == 0 && info->metadata == nullptr) {
      out_ << '<' << key << '>';
      return;
    }
    out_ << key.substr(key.rfind('.') + 1) << '(';
    depth > 0 ? VisitFields(object, info, depth) : void(out_ << "...");
    out_ << ')';
  }

  void VisitFields(const ffi::ObjectRef& object, const ffi::TypeInfo* info, int depth) {
    const char* separator = "";
    ffi::reflection::ForEachFieldInfo(info, [&](const TVMFFIFieldInfo* field) {
      if (field->flags & kTVMFFIFieldFlagBitMaskReprOff) return;
      const ffi::Any value = ffi::reflection::FieldGetter(field)(object);
      if (value == nullptr) return;
      out_ << separator << std::string(field->name.data, field->name.size) << '=';
      Visit(value, depth - 1);
      separator = ", ";
    });
  }

  std::ostringstream out_;
};

}  // namespace

int64_t object_address(ffi::ObjectRef obj) {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(obj.get()));
}

ffi::String describe(ffi::Any value) { return Describer().Describe(value); }

}  // namespace uir::ir
