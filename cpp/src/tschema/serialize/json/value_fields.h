/*!
 * \file value_fields.h
 * \brief The fields that hold their values in the objects of a JSON graph, by its metadata.
 *
 * A field holds a value (`"x":5`) or the index of a node (`"x":5` too), as its type decides.  Where
 * the type of a field has changed since the file was written, the metadata decide.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_JSON_VALUE_FIELDS_H_
#define TSCHEMA_SRC_SERIALIZE_JSON_VALUE_FIELDS_H_

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../type_codec.h"
#include "../type_lookup.h"
#include "./json_scanner.h"

namespace tschema {

/*! \brief The member of the metadata: `{"uir.ir.IntImm":["dtype","value"]}`. */
inline constexpr std::string_view kValueFieldsMember = "tschema_value_fields";

/*! \brief The fields that hold values, by the type keys of a file; valid as long as its text. */
class ValueFields {
 public:
  /*! \brief Skip the member's value. \throws TypeError, ValueError if it is not an object. */
  void Read(JSONScanner* scanner);

  /*!
   * \brief The type of a key, with a codec that reads its fields as the file holds them.
   * \throws TypeError, ValueError if the member is malformed.
   */
  FileType Find(std::string_view key);

 private:
  using Names = std::vector<std::string>;

  /*! \brief Whether the text agrees with a type's codec, as it does unless the type has changed. */
  bool IsAsWritten(const TypeCodec& codec) const;
  const TypeCodec* CodecOf(std::string_view key, const TypeCodec& codec);
  void Parse();

  /*! \brief The member's value in the text of the file, and whether it has been parsed. */
  std::string_view text_;
  bool is_parsed_ = false;
  std::unordered_map<std::string, Names> names_;
  /*! \brief Codecs of types whose fields the file holds in another way, by the file's keys. */
  std::unordered_map<std::string, std::unique_ptr<TypeCodec>> codecs_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_JSON_VALUE_FIELDS_H_
