/*!
 * \file tschema/repr.h
 * \brief The text of a value, as tvm-ffi's `repr` writes it, at any depth.
 */
#ifndef TSCHEMA_REPR_H_
#define TSCHEMA_REPR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

namespace tschema {

/*!
 * \brief A value as text: `uir.tir.Add(span=None, a=..., b=...)`.
 *
 * The text is that of tvm-ffi: fields declared with `repr=False` are left out, `__ffi_repr__`
 * functions are called, an object inside itself is `...`, and an object that is held in several
 * places is written in each.  So that a graph's text does not grow with the number of its paths,
 * an object that was written before is `...` too if its text is longer than 256 bytes and 16 MiB
 * have been written.
 */
::tvm::ffi::String Repr(::tvm::ffi::AnyView value);

}  // namespace tschema

#endif  // TSCHEMA_REPR_H_
