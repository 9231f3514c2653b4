/*!
 * \file literal.cc
 * \brief Literals by the type of their field: an enum's is its member's name, and so on.
 */
#include "./literal.h"

#include <tschema/defaults.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/string.h>

namespace tschema {
namespace dynamic {
namespace {

/*! \brief The kind of container that a factory makes: that of the first type that it suits. */
std::string MadeContainer(const std::string& factory, const TypeRef& type) {
  if (type.kind == "Optional" || type.kind == "Union") {
    for (const TypeRef& arg : type.args) {
      std::string made = MadeContainer(factory, arg);
      if (!made.empty()) return made;
    }
    return "";
  }
  bool is_list = type.kind == "Array" || type.kind == "List" || type.kind == "Tuple";
  bool is_dict = type.kind == "Map" || type.kind == "Dict";
  return (factory == "list" && is_list) || (factory == "dict" && is_dict) ? type.kind : "";
}

struct Maker {
  const char* kind;
  ffi::Any (*make)();
  ffi::Any (*factory)();
};

constexpr Maker kMakers[] = {{"Array", &EmptyArray, &ArrayFactory},
                             {"Tuple", &EmptyArray, &ArrayFactory},
                             {"List", &EmptyList, &ListFactory},
                             {"Map", &EmptyMap, &MapFactory},
                             {"Dict", &EmptyDict, &DictFactory}};

const Maker& FindMaker(const Default& default_value, const TypeRef& type) {
  std::string kind = MadeContainer(default_value.factory, type);
  for (const Maker& maker : kMakers) {
    if (kind == maker.kind) return maker;
  }
  TVM_FFI_THROW(ValueError) << "malformed JSON IR: `" << type.Text() << "` has no `"
                            << default_value.factory << "` as its default";
  TVM_FFI_UNREACHABLE();
}

ffi::Any MemberOf(const std::string& name, const TypeRef& type, const Schema& schema) {
  auto found = schema.enums.find(type.key);
  if (found != schema.enums.end()) {
    auto member = found->second.members.find(name);
    if (member != found->second.members.end()) return ffi::Any(member->second);
  }
  TVM_FFI_THROW(ValueError) << "malformed JSON IR: `" << type.key << "` has no member `" << name
                            << "`";
  TVM_FFI_UNREACHABLE();
}

/*! \brief Bytes that are written as latin-1 text, which the JSON has as UTF-8. */
ffi::Bytes FromLatin1(const ffi::String& text) {
  std::string bytes;
  for (size_t at = 0; at < text.size(); ++at) {
    auto unit = static_cast<unsigned char>(text.data()[at]);
    if (unit >= 0xC0 && at + 1 < text.size()) {
      unit = static_cast<unsigned char>((unit << 6) | (text.data()[++at] & 0x3F));
    }
    bytes.push_back(static_cast<char>(unit));
  }
  return ffi::Bytes(bytes);
}

}  // namespace

ffi::Any MakeLiteral(const Default& default_value, const TypeRef& type, const Schema& schema) {
  if (!default_value.factory.empty()) return FindMaker(default_value, type).make();
  if (type.kind == "Optional" && default_value.value != nullptr) {
    return MakeLiteral(default_value, type.args[0], schema);
  }
  auto text = default_value.value.as<ffi::String>();
  if (!text) return default_value.value;
  if (type.kind == "enum") return MemberOf(*text, type, schema);
  if (type.kind == "DataType") return ffi::Any(ffi::StringToDLDataType(*text));
  if (type.kind == "Bytes") return ffi::Any(FromLatin1(*text));
  return default_value.value;
}

ffi::Any MakeFactory(const Default& default_value, const TypeRef& type) {
  return FindMaker(default_value, type).factory();
}

}  // namespace dynamic
}  // namespace tschema
