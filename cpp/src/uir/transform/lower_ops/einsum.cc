// Lowering of einsum, whose equation becomes an assignment.
#include <uir/relay/einsum.h>

#include <cstdlib>
#include <string>

#include "../../relay/einsum_equation.h"
#include "../../relay/shape_rule.h"
#include "./assignment.h"

namespace uir::transform {

namespace {

/*! \brief A tensor at the indices of a term: `t0[i, *rest]`. */
std::string ReadTerm(const std::string& tensor, const relay::EinsumEquation::Term& term) {
  std::string indices;
  for (const std::string& name : term) indices += (indices.empty() ? "" : ", ") + name;
  return term.empty() ? tensor : tensor + "[" + indices + "]";
}

/*! \brief `y[i, k] += t0[i, j] * t1[j, k]`. */
std::string AssignmentOf(const relay::EinsumEquation& equation) {
  std::string text;
  for (size_t i = 0; i < equation.operands().size(); ++i) {
    text += (text.empty() ? "" : " * ") + ReadTerm("t" + std::to_string(i), equation.operands()[i]);
  }
  return ReadTerm("y", equation.result()) + " += " + text;
}

Values LowerEinsum(const OperatorCall& call) {
  const auto* attrs = relay::AttrsOf<relay::EinsumAttrsNode>(call.call);
  const Values& tensors = call.operands[0];
  for (const Value& tensor : tensors) tensor.StoreIfComputed();
  TensorNames names;
  names.tensor = [tensors](const std::string& name) -> const Value* {
    // The names of axes are letters.
    return name.size() < 2 ? nullptr : &tensors.at(std::stoul(name.substr(1)));
  };
  const std::string text = AssignmentOf(relay::EinsumEquation(attrs->equation));
  return {LowerAssignment(text, names, call.Name(), call.results[0])};
}

UIR_TRANSFORM_REGISTER_LOWERING("relay.einsum", LowerEinsum);

}  // namespace

}  // namespace uir::transform
