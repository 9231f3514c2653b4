/*!
 * \file binary_format.h
 * \brief The layout of the binary form; `serialization.md` describes it for readers.
 *
 *     file    = magic, varint version, strings, dtypes, types, shared, varint size of body, body
 *     strings = varint count, count * (varint size, bytes)
 *     dtypes  = varint count, count * (1 byte code, 1 byte bits, 2 bytes lanes)
 *     types   = varint count, count * (string key, varint count of fields,
 *                                      fields * (string name, 1 byte Wire))
 *     shared  = varint count, count * zigzag distance of an object's number from the last one
 *     body    = operations, each of which leaves one value on a stack; the last one is the root
 *
 * A string or data type elsewhere in a file is the varint of its position in its table.  Tables
 * are in the order of first use.  Objects are numbered in the order in which they are made; the
 * table `shared` names those that are used again.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_FORMAT_H_
#define TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_FORMAT_H_

#include <cstdint>
#include <string_view>

namespace tschema {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers in files have this byte order");

/*! \brief Starts with a byte that no text starts with. */
inline constexpr std::string_view kBinaryMagic("\x89TSB", 4);

/*! \brief Operations; each is a varint in the body. */
enum class Op : uint8_t {
  kNone,
  kFalse,
  kTrue,
  /*! \brief A zigzag number follows. */
  kInteger,
  /*! \brief Eight bytes follow. */
  kFloat,
  /*! \brief A string follows, here and for bytes. */
  kString,
  kBytes,
  /*! \brief A data type follows. */
  kDataType,
  /*! \brief Two zigzag numbers follow: type, id. */
  kDevice,
  /*! \brief The varint of a position in the table `shared` follows. */
  kAgain,
  /*! \brief A varint follows: how many values of the stack become the elements. */
  kArray,
  kList,
  /*! \brief A varint follows: the number of pairs on the stack that become keys and values. */
  kMap,
  kDict,
  /*! \brief A varint follows, and this number of zigzag numbers. */
  kShape,
  /*! \brief A type's position, then a string: JSON that the type's own hook understands. */
  kHook,
  /*! \brief This number plus the position of a type in the table: an object of that type. */
  kFirstType = 16,
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_BINARY_BINARY_FORMAT_H_
