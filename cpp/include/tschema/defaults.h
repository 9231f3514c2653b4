/*!
 * \file tschema/defaults.h
 * \brief Common defaults of fields, as functions for the rows of tables.
 */
#ifndef TSCHEMA_DEFAULTS_H_
#define TSCHEMA_DEFAULTS_H_

#include <tvm/ffi/any.h>

namespace tschema {

namespace ffi = ::tvm::ffi;

/*! \brief None. */
ffi::Any None();
/*! \brief A fresh empty `Array`. */
ffi::Any EmptyArray();
/*! \brief A fresh empty `Map`. */
ffi::Any EmptyMap();
/*! \brief A fresh empty `List`. */
ffi::Any EmptyList();
/*! \brief A fresh empty `Dict`. */
ffi::Any EmptyDict();

/*! \brief The function that makes a fresh empty `Array`: a field's default factory. */
ffi::Any ArrayFactory();
/*! \brief The function that makes a fresh empty `Map`: a field's default factory. */
ffi::Any MapFactory();
/*! \brief The function that makes a fresh empty `List`: a field's default factory. */
ffi::Any ListFactory();
/*! \brief The function that makes a fresh empty `Dict`: a field's default factory. */
ffi::Any DictFactory();

}  // namespace tschema

#endif  // TSCHEMA_DEFAULTS_H_
