// Activation functions of recurrent layers.
#include "./recurrent_activation.h"

#include <string>

#include "./shape_rule.h"

namespace uir::relay {

namespace {

using Texts = ffi::Array<ffi::String>;

std::vector<ir::Formula> Parse(const ffi::Optional<Texts>& given, const Texts& defaults) {
  const Texts texts = given.value_or(defaults);
  CheckLength("activations", texts.size(), defaults.size());
  std::vector<ir::Formula> formulas;
  for (const ffi::String& text : texts) {
    std::vector<std::string> names;
    formulas.push_back(ir::ParseFormula(std::string(text), &names));
    if (names != std::vector<std::string>{"x"}) {
      TVM_FFI_THROW(ValueError) << "each of `activations` must be an expression of `x`, got `"
                                << text << "`";
    }
  }
  return formulas;
}

}  // namespace

std::vector<ir::Formula> ActivationsOf(const RnnAttrsNode* attrs) {
  return Parse(attrs->activations, {"tanh(x)"});
}

std::vector<ir::Formula> ActivationsOf(const GruAttrsNode* attrs) {
  return Parse(attrs->activations, {"sigmoid(x)", "tanh(x)"});
}

std::vector<ir::Formula> ActivationsOf(const LstmAttrsNode* attrs) {
  return Parse(attrs->activations, {"sigmoid(x)", "tanh(x)", "tanh(x)"});
}

}  // namespace uir::relay
