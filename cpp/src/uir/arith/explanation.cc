// Explanations: the analyzer's method, and their text.
#include <uir/arith/analyzer.h>
#include <uir/arith/explanation.h>
#include <uir/ir/script_text.h>

#include <sstream>
#include <string>

#include "./analyzer_state.h"
#include "./explainer.h"

namespace uir::arith {

namespace {

/*! \brief The file without the row, which the text of the rule makes redundant. */
std::string FileOf(const ffi::String& source) {
  const std::string text = source;
  return text.substr(0, text.find(','));
}

std::string ReasonOf(const ExplanationStep& step) {
  switch (step->method) {
    case StepMethod::kRule:
      return "by `" + std::string(step->rule) + "` of " + FileOf(step->source);
    case StepMethod::kSum:
      return "as a sum";
    case StepMethod::kComparison:
      return "by comparison";
    case StepMethod::kFact:
      return "as stated";
    case StepMethod::kRegrouping:
      return "with other parentheses";
    case StepMethod::kRepetition:
      return "as before";
    default:
      return "by evaluation";
  }
}

}  // namespace

Explanation AnalyzerNode::Explain(ir::PrimExpr expr) const {
  return Explainer(&StateOf(this)).Explain(expr);
}

ffi::String ExplanationNode::Text() const {
  std::ostringstream text;
  text << "  " << ir::ScriptText(expr);
  for (const ExplanationStep& step : steps) {
    if (!step->path.empty()) {
      text << "\n    " << ir::ScriptText(step->before) << " is " << ir::ScriptText(step->after);
    }
    text << "\n    " << ReasonOf(step);
    for (size_t i = 0; i < step->facts.size(); ++i) {
      text << (i == 0 ? ", since " : ", ") << ir::ScriptText(step->facts[i]);
    }
    text << "\n= " << ir::ScriptText(step->result);
  }
  return text.str();
}

}  // namespace uir::arith
