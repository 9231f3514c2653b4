/*!
 * \file tschema/repr.h
 * \brief The `repr` of values, with tvm-ffi's text, at any depth.
 */
#ifndef TSCHEMA_REPR_H_
#define TSCHEMA_REPR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/string.h>

namespace tschema {

/*!
 * \brief A value as text: `uir.tir.Add(span=None, a=..., b=...)`.
 *
 * The text is that of tvm-ffi: fields with `repr=False` are omitted, `__ffi_repr__` functions are
 * called, an object inside itself is `...`, and a shared object is repeated. To bound the text of a
 * graph with many paths, a repeated object is `...` too if its text is longer than 256 bytes and 16
 * MiB have been written.
 */
::tvm::ffi::String Repr(::tvm::ffi::AnyView value);

}  // namespace tschema

#endif  // TSCHEMA_REPR_H_
