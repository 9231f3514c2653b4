/*!
 * \file explainer.h
 * \brief Simplification that records its steps.
 */
#ifndef UIR_ARITH_EXPLAINER_H_
#define UIR_ARITH_EXPLAINER_H_

#include <uir/arith/explanation.h>

#include <functional>
#include <vector>

#include "./rewrite_simplify.h"
#include "./step_listener.h"

namespace uir::arith {

/*!
 * \brief Simplifies as its base class does, and records a step for each change.
 *
 * It keeps the present expression, as the path from the root to the node that is being simplified.
 * A step replaces the node at the end of the path, so that each step begins where the last one
 * ended.  A change of a node that no call of the listener reported becomes a step when the
 * simplification leaves the node.
 */
class Explainer : public RewriteSimplifier, private StepListener {
 public:
  explicit Explainer(Queries* known) : RewriteSimplifier(known) {}

  Explanation Explain(const ir::PrimExpr& expr);
  ir::PrimExpr VisitPrimExpr(const ir::PrimExpr& expr) override;

 private:
  /*! \brief A node on the path, in its present form. */
  struct Frame {
    ir::PrimExpr current;
    /*! \brief Its place among the parts of the node above. */
    int64_t place;
    /*! \brief The parts before this place have been visited. */
    size_t next = 0;
  };
  /*! \brief The state to restore if a rule's result cannot be made. */
  struct Mark {
    size_t num_steps;
    ir::PrimExpr current;
  };
  using Redo = std::function<bool(RewriteSimplifier*)>;

  void BeginRule(const Firing& firing) override;
  void EndRule(const std::optional<ir::PrimExpr>& result) override;
  void BeginPart(const PatternNode* part, int place) override;
  void EndPart(const PatternNode* part, const std::optional<ir::PrimExpr>& result) override;
  void BeginMeeting(const ir::PrimExpr& chain, int place) override;
  void EndMeeting(const std::optional<ir::PrimExpr>& result) override;
  void OnSum(const ir::PrimExpr& sum) override;

  /*! \brief Go to a part of the present node; false if the expression is none of its parts. */
  bool Enter(const ir::PrimExpr& expr);
  void EnterPlace(int64_t place);
  /*! \brief Record the result of the present node, and go to its parent. */
  void Leave(const ir::PrimExpr& result);
  /*! \brief Record a change of the present node that no call of the listener reported. */
  void Settle(const ir::PrimExpr& result);
  void AddStep(StepMethod method, const ir::PrimExpr& after, const Redo& redo, int rule = -1);
  StepMethod MethodOf(const ir::PrimExpr& before, const ir::PrimExpr& after);
  ir::PrimExpr Whole() const;

  std::vector<Frame> frames_;
  std::vector<Mark> marks_;
  std::vector<ExplanationStep> steps_;
  /*! \brief The nodes whose steps have been recorded, with their results. */
  std::vector<std::pair<ir::PrimExpr, ir::PrimExpr>> done_;
};

}  // namespace uir::arith

#endif  // UIR_ARITH_EXPLAINER_H_
