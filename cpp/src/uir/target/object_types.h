/*!
 * \file object_types.h
 * \brief The types of objects whose fields a text reads.
 *
 * The text has the offsets that it was emitted with, and compares them with the registered types
 * when an entry that takes an object is called first.
 */
#ifndef UIR_TARGET_OBJECT_TYPES_H_
#define UIR_TARGET_OBJECT_TYPES_H_

#include <uir/ir/dtype.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace uir::target {

namespace ffi = ::tvm::ffi;

class ObjectTypes {
 public:
  /*! \param take_name Returns an unused name in C. */
  explicit ObjectTypes(std::function<std::string(const std::string&)> take_name)
      : take_name_(std::move(take_name)) {}

  /*! \brief Use a type; returns its name in C. */
  const std::string& Use(const std::string& key);
  /*!
   * \brief Use a field; returns the name in C of its offset.
   * \return Empty if the field was used with another offset or data type.
   */
  std::string UseField(const std::string& key, const std::string& field, int64_t offset,
                       DLDataType dtype);
  /*! \brief Use the function that finds all types; returns its name in C. */
  const std::string& UseFinder();

  /*! \brief The definitions; empty if there is no type. */
  std::string Text() const;

 private:
  struct Field {
    /*! \brief The name of its offset in C. */
    std::string name;
    int64_t offset;
    DLDataType dtype;
  };
  struct Type {
    /*! \brief Its name in C. */
    std::string name;
    /*! \brief The name of the table of its fields. */
    std::string table;
    std::map<std::string, Field> fields;
  };

  Type& Find(const std::string& key);
  static std::string Definition(const std::string& key, const Type& type);

  std::function<std::string(const std::string&)> take_name_;
  std::map<std::string, Type> types_;
  std::string finder_;
};

}  // namespace uir::target

#endif  // UIR_TARGET_OBJECT_TYPES_H_
