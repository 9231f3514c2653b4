/*!
 * \file object_builder.h
 * \brief Fills in objects for the readers: checks values, adds defaults, runs `post_init`.
 *
 * In: values, in any order of the fields.  Out: an object that the constructor could have made,
 * or an error.  Knows no format.
 */
#ifndef TSCHEMA_SRC_SERIALIZE_OBJECT_BUILDER_H_
#define TSCHEMA_SRC_SERIALIZE_OBJECT_BUILDER_H_

#include <tvm/ffi/any.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "./acceptance.h"
#include "./load_error.h"
#include "./type_codec.h"

namespace tschema {

/*! \brief Two numbers as a device. \throws ValueError if one exceeds 32 bits. */
DLDevice MakeDevice(int64_t device_type, int64_t device_id);

/*! \brief Check that a field of a floating-point type can hold an integer. \throws ValueError */
void CheckExact(const FieldInfo& field, int64_t value);

/*! \brief One for each load; every method throws TypeError or ValueError, without a place. */
class ObjectBuilder {
 public:
  void StoreBool(const FieldStep& step, ffi::Object* object, bool value);
  void StoreInteger(const FieldStep& step, ffi::Object* object, int64_t value);
  void StoreFloat(const FieldStep& step, ffi::Object* object, double value);
  void StoreDataType(const FieldStep& step, ffi::Object* object, DLDataType value);
  void StoreDevice(const FieldStep& step, ffi::Object* object, DLDevice value);
  /*! \brief Store any value. */
  void Store(const FieldStep& step, ffi::Object* object, ffi::Any value);

  /*!
   * \brief Make an Array, List, Map or Dict of parts, which are moved.
   * \throws ValueError if a key has no value, or is repeated.
   */
  ffi::Any MakeContainer(int32_t type_index, ffi::Any* begin, ffi::Any* end);

  /*! \brief Store the value of a field that is not in the file. */
  void StoreMissing(const TypeCodec& codec, const FieldStep& step, ffi::Object* object);

  /*!
   * \brief End an object, all fields of which have been stored.
   * \param place Receives the field of an error.
   * \throws ValueError if `post_init` sets a field to another value than that of the file.
   */
  void Finish(const TypeCodec& codec, ffi::Object* object, LoadPlace* place);

 private:
  void FinishPlain(const TypeCodec& codec, ffi::Object* object, LoadPlace* place);
  void FinishDerived(const TypeCodec& codec, ffi::Object* object, LoadPlace* place);

  template <typename Mapping>
  ffi::Any MakeMapping(ffi::Any* begin, ffi::Any* end);

  Acceptance acceptance_;
  /*! \brief Kept from mapping to mapping for its memory. */
  std::vector<std::pair<ffi::Any, ffi::Any>> entries_;
  /*! \brief Derived fields of the present object that are not in the file. */
  std::vector<const FieldInfo*> missing_;
};

}  // namespace tschema

#endif  // TSCHEMA_SRC_SERIALIZE_OBJECT_BUILDER_H_
