/*!
 * \file body_pass.h
 * \brief Passes over the bodies of tensor-level functions.
 */
#ifndef UIR_TRANSFORM_PASS_BODY_PASS_H_
#define UIR_TRANSFORM_PASS_BODY_PASS_H_

#include <uir/tir/stmt.h>
#include <uir/transform/pass.h>

#include <functional>

namespace uir::transform {

/*!
 * \brief Make a pass of level 0 that changes only the bodies of functions.
 * \param run The transformation of a body; it returns its argument if nothing changed.
 * \param name The pass's name.
 */
Pass MakeBodyPass(std::function<tir::Stmt(tir::Stmt, const PassContext&)> run, ffi::String name);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_PASS_BODY_PASS_H_
