/*!
 * \file explainer.h
 * \brief Simplification that records its steps.
 */
#ifndef UIR_ARITH_EXPLAINER_H_
#define UIR_ARITH_EXPLAINER_H_

#include <uir/arith/explanation.h>

#include <functional>
#include <vector>

#include "./analyzer_state.h"
#include "./step_listener.h"

namespace uir::arith {

/*!
 * \brief Simplifies as its base class does, and records a step for each change.
 *
 * It keeps the expression as it is at present, along the path from the root to the node that is
 * being simplified.  A step replaces the node at the end of the path, so that each step begins
 * where the last one ended.  What becomes of a node without a listener's call is a step too, when
 * the node is left.
 */
class Explainer : public RewriteSimplifier, private StepListener {
 public:
  explicit Explainer(State* state) : RewriteSimplifier(state) {}

  Explanation Explain(const ir::PrimExpr& expr);
  ir::PrimExpr VisitPrimExpr(const ir::PrimExpr& expr) override;

 private:
  /*! \brief A node on the path, as it is at present. */
  struct Frame {
    ir::PrimExpr current;
    /*! \brief Its place among the parts of the node above. */
    int64_t place;
    /*! \brief The parts before this place have been visited. */
    size_t next = 0;
  };
  /*! \brief What is restored if a rule's result cannot be made. */
  struct Mark {
    size_t num_steps;
    ir::PrimExpr current;
  };
  using Redo = std::function<bool(RewriteSimplifier*)>;

  void BeginRule(const Firing& firing) override;
  void EndRule(const ffi::Optional<ir::PrimExpr>& result) override;
  void BeginPart(const PatternNode* part, int place) override;
  void EndPart(const PatternNode* part, const ffi::Optional<ir::PrimExpr>& result) override;
  void BeginMeeting(const ir::PrimExpr& chain, int place) override;
  void EndMeeting(const ffi::Optional<ir::PrimExpr>& result) override;
  void OnSum(const ir::PrimExpr& sum) override;

  /*! \brief Go to a part of the present node; false if the expression is none of its parts. */
  bool Enter(const ir::PrimExpr& expr);
  void EnterPlace(int64_t place);
  /*! \brief See that the present node has become the result, and go to the node above. */
  void Leave(const ir::PrimExpr& result);
  /*! \brief Record what has become of the present node without a listener's call. */
  void Settle(const ir::PrimExpr& result);
  void AddStep(StepMethod method, const ir::PrimExpr& after, const Redo& redo, int rule = -1);
  StepMethod MethodOf(const ir::PrimExpr& before, const ir::PrimExpr& after);
  ir::PrimExpr Whole() const;

  std::vector<Frame> frames_;
  std::vector<Mark> marks_;
  std::vector<ExplanationStep> steps_;
  /*! \brief The nodes whose steps have been recorded, and what they have become. */
  std::vector<std::pair<ir::PrimExpr, ir::PrimExpr>> done_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_EXPLAINER_H_
