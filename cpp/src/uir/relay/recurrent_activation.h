/*!
 * \file recurrent_activation.h
 * \brief The activation functions of recurrent layers: formulas of `x`.
 */
#ifndef UIR_SRC_RELAY_RECURRENT_ACTIVATION_H_
#define UIR_SRC_RELAY_RECURRENT_ACTIVATION_H_

#include <uir/relay/recurrent.h>

#include <vector>

#include "../ir/formula.h"

namespace uir::relay {

/*!
 * \brief The functions of a layer, in the order of its documentation; its default ones for None.
 * \throws ValueError if there are more or fewer, or one is not an expression of `x`.
 */
std::vector<ir::Formula> ActivationsOf(const RnnAttrsNode* attrs);
std::vector<ir::Formula> ActivationsOf(const GruAttrsNode* attrs);
std::vector<ir::Formula> ActivationsOf(const LstmAttrsNode* attrs);

}  // namespace uir::relay

#endif  // UIR_SRC_RELAY_RECURRENT_ACTIVATION_H_
