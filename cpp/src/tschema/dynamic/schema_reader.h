/*!
 * \file schema_reader.h
 * \brief Reads members of JSON objects, with the place of the wrong text in errors.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_SCHEMA_READER_H_
#define TSCHEMA_SRC_DYNAMIC_SCHEMA_READER_H_

#include <tvm/ffi/error.h>
#include <tvm/ffi/extra/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tschema {
namespace dynamic {

namespace ffi = ::tvm::ffi;

/*! \brief A JSON object and its place in the text: `namespaces[2].types[0]`. */
class JsonObject {
 public:
  JsonObject(const ffi::json::Value& value, std::string place)
      : members_(Read<ffi::json::Object>(value, place, "an object")), place_(std::move(place)) {}

  bool Has(const char* name) const { return members_.count(ffi::String(name)) != 0; }

  /*! \brief A member, or None if there is no such one. */
  ffi::Any Get(const char* name) const {
    return Has(name) ? members_[ffi::String(name)] : ffi::Any(nullptr);
  }

  /*! \brief A text that has to be there. */
  std::string Text(const char* name) const {
    return Read<ffi::String>(Get(name), At(name), "a text");
  }
  std::string Text(const char* name, std::string otherwise) const {
    ffi::Any value = Get(name);
    return value == nullptr ? std::move(otherwise)
                            : std::string(Read<ffi::String>(value, At(name), "a text"));
  }

  int64_t Integer(const char* name) const {
    return Read<int64_t>(Get(name), At(name), "an integer");
  }

  bool Flag(const char* name, bool otherwise) const {
    return Has(name) ? Read<bool>(Get(name), At(name), "true or false") : otherwise;
  }

  /*! \brief A member that is an object. */
  JsonObject Object(const char* name) const { return JsonObject(Get(name), At(name)); }

  /*! \brief The members of an array, none if it is left out. */
  std::vector<JsonObject> Objects(const char* name) const {
    std::vector<JsonObject> objects;
    ForEach(name, [&objects](const ffi::Any& value, std::string place) {
      objects.emplace_back(value, std::move(place));
    });
    return objects;
  }

  std::vector<std::string> Texts(const char* name) const {
    std::vector<std::string> texts;
    ForEach(name, [&texts](const ffi::Any& value, std::string place) {
      texts.push_back(Read<ffi::String>(value, place, "a text"));
    });
    return texts;
  }

  /*! \brief The place of a member. */
  std::string At(const char* name) const { return place_.empty() ? name : place_ + "." + name; }
  const std::string& place() const { return place_; }

 private:
  template <typename T>
  static T Read(const ffi::json::Value& value, const std::string& place, const char* expected) {
    if (std::optional<T> read = value.as<T>()) return *std::move(read);
    TVM_FFI_THROW(ValueError) << "malformed JSON IR: `" << (place.empty() ? "the text" : place)
                              << "` is not " << expected;
    TVM_FFI_UNREACHABLE();
  }

  template <typename Visit>
  void ForEach(const char* name, Visit visit) const {
    if (!Has(name)) return;
    auto array = Read<ffi::json::Array>(Get(name), At(name), "an array");
    for (size_t index = 0; index < array.size(); ++index) {
      visit(array[static_cast<int64_t>(index)], At(name) + "[" + std::to_string(index) + "]");
    }
  }

  ffi::json::Object members_;
  std::string place_;
};

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_SCHEMA_READER_H_
