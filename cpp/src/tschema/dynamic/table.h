/*!
 * \file table.h
 * \brief A dynamic type at run time, which makes, copies and destroys its objects.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_TABLE_H_
#define TSCHEMA_SRC_DYNAMIC_TABLE_H_

#include <tvm/ffi/object.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "./schema.h"
#include "./value_type.h"

namespace tschema {
namespace dynamic {

/*! \brief A field of a dynamic type, inherited ones included. */
struct Slotted {
  /*! \brief As the type's restatements leave it; only the first declaration has doc and place. */
  Field field;
  ValueType type;
  /*! \brief As messages name the type. */
  std::string text;
};

/*! \brief A dynamic type; lives as long as the process. */
class Table {
 public:
  /*!
   * \brief Describe a type whose index, and those of all its fields' types, are allocated.
   * \param schema Must live as long as the table.
   */
  Table(const Type& type, int32_t type_index, const Schema& schema);

  /*! \brief An object with empty fields, except those with defaults that no constructor takes. */
  ffi::ObjectPtr<ffi::Object> New() const;
  /*! \brief An object with the fields of another one of this type. */
  ffi::ObjectPtr<ffi::Object> Copy(const ffi::Object* object) const;

  const Type& type() const { return type_; }
  int32_t type_index() const { return type_index_; }
  /*! \brief The parents' first. */
  const std::vector<Slotted>& fields() const { return fields_; }
  const Slotted& Find(const std::string& name) const;

  /*! \brief The value of a default: a literal, or a fresh container. */
  ffi::Any MakeDefault(const Slotted& slotted) const;

 private:
  static void Delete(void* object, int flags);
  void MakeImage();
  void SetDerived(ffi::Object* object) const;
  ffi::ObjectPtr<ffi::Object> Allocate(const void* image) const;
  void Release(char* object) const;
  void CheckDefault(const Slotted& slotted) const;

  const Type& type_;
  const Schema& schema_;
  int32_t type_index_;
  std::vector<Slotted> fields_;
  /*! \brief Where objects hold pointers to objects, and where FFI values: bytes. */
  std::vector<uint32_t> pointers_;
  std::vector<uint32_t> values_;
  /*! \brief Those of `fields_` that start with a default because no constructor takes them. */
  std::vector<const Slotted*> derived_;
  /*! \brief A whole object in its empty state, header included. */
  std::unique_ptr<uint64_t[]> image_;
};

/*! \brief Where a field of an object lies. */
inline char* AddressOf(const Slotted& slotted, ffi::Object* object) {
  return reinterpret_cast<char*>(object) + slotted.field.offset;
}

/*! \brief Make a table known to the deleter of its objects. */
void PublishTable(const Table* table);

/*! \brief The table of a type, or null if it is not a dynamic type of this library. */
const Table* TableOf(int32_t type_index);

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_TABLE_H_
