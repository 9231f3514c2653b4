/*!
 * \file type_lookup.h
 * \brief Finds types by their keys in files.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_TYPE_LOOKUP_H_
#define TSCHEMA_SRC_SERIALIZE_TYPE_LOOKUP_H_

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "./type_codec.h"

namespace tschema {

/*! \brief A type in a file. */
struct FileType {
  /*! \brief The key in the file, which may be a former one; a view that outlives the file. */
  std::string_view key;
  int32_t type_index = kTVMFFINone;
  /*! \brief Null for tvm-ffi's values that are not objects with fields. */
  const TypeCodec* codec = nullptr;
};

/*!
 * \brief The type of a key.
 * \throws ValueError if there is none, TypeError if no file can hold its objects.
 */
FileType FindFileType(std::string_view key);

/*! \brief Remembers the types of the last keys; one for each load. */
class TypeLookup {
 public:
  using FindFunction = std::function<FileType(std::string_view key)>;

  TypeLookup() = default;
  TypeLookup(const TypeLookup&) = delete;
  TypeLookup& operator=(const TypeLookup&) = delete;

  /*! \brief Find types by another function from now on, which `FindFileType` is at first. */
  void FindBy(FindFunction find) {
    find_ = std::move(find);
    entries_ = {};
  }

  const FileType& Find(std::string_view key) {
    FileType& entry = entries_[PlaceOf(key)];
    if (entry.key != key || key.empty()) entry = find_(key);
    return entry;
  }

  /*! \brief The same of a text that may have escapes in it; null if it has. */
  const FileType* FindPlain(std::string_view key) {
    FileType& entry = entries_[PlaceOf(key)];
    if (entry.key == key && !key.empty()) return &entry;
    return key.find('\\') == std::string_view::npos ? &Find(key) : nullptr;
  }

 private:
  static constexpr size_t kSize = 64;

  static size_t PlaceOf(std::string_view key) {
    size_t size = key.size();
    if (size < 2) return 0;
    auto byte = [key](size_t index) { return static_cast<uint8_t>(key[index]); };
    return (size * 7 + byte(size - 1) * 5 + byte(size - 2) * 3 + byte(size / 2)) % kSize;
  }

  FindFunction find_ = &FindFileType;
  std::array<FileType, kSize> entries_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_TYPE_LOOKUP_H_
