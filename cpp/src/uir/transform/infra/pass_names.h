/*!
 * \file pass_names.h
 * \brief The names of passes: of registered ones, and of all that were made.
 */
#ifndef UIR_TRANSFORM_INFRA_PASS_NAMES_H_
#define UIR_TRANSFORM_INFRA_PASS_NAMES_H_

#include <uir/transform/context.h>

namespace uir::transform {

/*! \brief Remember the name of a pass that is made. */
void AddPassName(const ffi::String& name);

/*!
 * \brief Check the names of `required_pass` and `disabled_pass`.
 * \throws ValueError if a name is unknown; the message suggests similar names.
 */
void CheckPassNames(const PassContext& context);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_INFRA_PASS_NAMES_H_
