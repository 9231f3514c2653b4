/*!
 * \file live_carried_values.h
 * \brief Removes values that loops carry, and that nothing needs.
 */
#ifndef UIR_TRANSFORM_REWRITE_LIVE_CARRIED_VALUES_H_
#define UIR_TRANSFORM_REWRITE_LIVE_CARRIED_VALUES_H_

#include <uir/relay/function.h>

namespace uir::transform {

/*!
 * \brief A function whose loops carry only values that are used after them, or that a step needs
 * for its condition or for other such values.
 */
relay::Function WithLiveCarriedValues(const relay::Function& func);

}  // namespace uir::transform

#endif  // UIR_TRANSFORM_REWRITE_LIVE_CARRIED_VALUES_H_
