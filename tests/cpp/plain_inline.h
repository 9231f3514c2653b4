/*!
 * \file plain_inline.h
 * \brief Leaves tvm-ffi's functions uninlined where nothing is optimized.
 *
 * They are marked to be inlined even there, which takes a fifth of the time of a compilation. It is
 * included before all other headers.
 */
#ifndef TSCHEMA_TESTS_PLAIN_INLINE_H_
#define TSCHEMA_TESTS_PLAIN_INLINE_H_

#if __has_include(<tvm/ffi/base_detail.h>)
#include <tvm/ffi/base_detail.h>
#else
#include <tvm/ffi/base_details.h>
#endif

#undef TVM_FFI_INLINE
#define TVM_FFI_INLINE inline

#endif  // TSCHEMA_TESTS_PLAIN_INLINE_H_
