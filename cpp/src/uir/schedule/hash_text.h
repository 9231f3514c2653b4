/*!
 * \file hash_text.h
 * \brief Structural hashes as text, by which files of tuned kernels name their rows.
 */
#ifndef UIR_SCHEDULE_HASH_TEXT_H_
#define UIR_SCHEDULE_HASH_TEXT_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <uir/tir/function.h>

#include <string>

namespace uir::schedule {

namespace ffi = ::tvm::ffi;

/*! \brief The structural hash of some values, in 16 hexadecimal digits. */
std::string HashText(const ffi::Array<ffi::Any>& values);

/*! \brief A function without its attributes. */
tir::PrimFunc WithoutAttributes(const tir::PrimFunc& func);

}  // namespace uir::schedule

#endif  // UIR_SCHEDULE_HASH_TEXT_H_
