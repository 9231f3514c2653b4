/*!
 * \file instruments.h
 * \brief The instruments of a context, called in order.
 */
#ifndef UIR_TRANSFORM_INFRA_INSTRUMENTS_H_
#define UIR_TRANSFORM_INFRA_INSTRUMENTS_H_

#include <uir/ir/module.h>
#include <uir/transform/context.h>

namespace uir::transform {

/*!
 * \brief Enter all instruments.
 * \throws tvm::ffi::Error The error of an instrument; those entered before it are exited first.
 */
void EnterInstruments(const PassContext& context);

/*!
 * \brief Exit all instruments, even if some of them fail.
 * \throws tvm::ffi::Error The first error.
 */
void ExitInstruments(const PassContext& context);

/*!
 * \brief Return whether all instruments let a pass run, and notify them if it runs.
 *
 * Instruments cannot stop a pass that the context requires.
 */
bool BeforePass(const PassContext& context, const ir::IRModule& module, const PassInfo& info);

/*! \brief Notify all instruments that a pass has succeeded. */
void AfterPass(const PassContext& context, const ir::IRModule& module, const PassInfo& info);

/*! \brief Whether a list contains a name. */
bool HasName(const ffi::Array<ffi::String>& names, const ffi::String& name);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_INSTRUMENTS_H_
