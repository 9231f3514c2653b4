/*!
 * \file field_access.h
 * \brief Getters and setters of the fields of dynamic types.
 */
#ifndef TSCHEMA_SRC_DYNAMIC_FIELD_ACCESS_H_
#define TSCHEMA_SRC_DYNAMIC_FIELD_ACCESS_H_

#include <tschema/access.h>
#include <tvm/ffi/function.h>

#include "./table.h"

namespace tschema {
namespace dynamic {

/*! \brief How tvm-ffi reads and writes a field. */
struct FieldAccess {
  TVMFFIFieldGetter getter;
  int32_t static_type_index;
  /*! \brief A setter that depends only on the type; null if there is none. */
  TVMFFIFieldSetter setter;
};

/*! \brief The accessors of a field. */
FieldAccess AccessOf(const Slotted& slotted);

/*!
 * \brief A setter that knows the field: enums, objects and containers need it.
 * \param slotted Must live as long as the process.
 */
ffi::Function MakeSetter(const Slotted& slotted);

}  // namespace dynamic
}  // namespace tschema

#endif  // TSCHEMA_SRC_DYNAMIC_FIELD_ACCESS_H_
