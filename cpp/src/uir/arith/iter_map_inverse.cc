// Inverses of bijective iterator maps.
#include <tvm/ffi/error.h>
#include <uir/arith/iter_map.h>
#include <uir/tir/arith.h>

#include <unordered_map>
#include <utility>
#include <vector>

#include "./const_fold.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

/*! \brief Carries values from outputs to the marks that they are digits of. */
class InverseMap {
 public:
  /*! \brief Add digits that have a value. */
  void Add(const IterSplitExpr& digits, const PrimExpr& value) {
    const PrimExpr part = Compute(Case::kMul, value, digits->lower_factor);
    const auto known = values_.find(digits->source.get());
    if (known == values_.end()) {
      values_.emplace(digits->source.get(), part);
    } else {
      known->second = Compute(Case::kAdd, known->second, part);
    }
  }

  /*! \brief The value of a mark whose digits have all been added. */
  PrimExpr ValueOf(const IterMark& mark) const { return values_.at(mark.get()); }

  PrimExpr Compute(Case op, const PrimExpr& a, const PrimExpr& b) const {
    return analyzer_->Simplify(MakeBinary(op, a, b, std::nullopt));
  }

  /*! \brief Take a sum apart, from the highest digits to the lowest. */
  void Split(const IterMark& mark, const IterSumExpr& sum) {
    const PrimExpr value = Compute(Case::kSub, ValueOf(mark), sum->base);
    for (size_t i = 0; i < sum->args.size(); ++i) {
      const IterSplitExpr& term = sum->args[i];
      PrimExpr digits = Compute(Case::kFloorDiv, value, term->scale);
      if (i > 0) digits = Compute(Case::kFloorMod, digits, term->extent);
      Add(term, digits);
    }
  }

 private:
  Analyzer analyzer_;
  std::unordered_map<const IterMarkNode*, PrimExpr> values_;
};

/*! \brief All marks, each after those that have digits of it. */
std::vector<IterMark> MarksInOrder(const std::vector<IterMark>& roots) {
  struct Step {
    IterMark mark;
    bool is_done;
  };
  std::vector<IterMark> order;
  std::unordered_map<const IterMarkNode*, bool> seen;
  std::vector<Step> rest;
  for (const IterMark& root : roots) rest.push_back({root, false});
  while (!rest.empty()) {
    const Step step = rest.back();
    rest.pop_back();
    if (step.is_done) {
      order.push_back(step.mark);
      continue;
    }
    if (!seen.emplace(step.mark.get(), true).second) continue;
    rest.push_back({step.mark, true});
    const auto sum = step.mark->source.as<IterSumExpr>();
    if (!sum) continue;
    for (const IterSplitExpr& term : (*sum)->args) rest.push_back({term->source, false});
  }
  return {order.rbegin(), order.rend()};
}

/*! \brief Write the value of the variable that a mark iterates over. */
void SetInput(const InverseMap& values, const IterMark& mark,
              ffi::Map<tir::Var, PrimExpr>* inputs) {
  const PrimExpr source = mark->source.as<PrimExpr>().value();
  PrimExpr value = values.ValueOf(mark);
  PrimExpr var = source;
  if (CaseOf(source) == Case::kSub) {
    const Operands operands = OperandsOf(source.get(), Case::kSub);
    var = *operands.a;
    value = values.Compute(Case::kAdd, value, *operands.b);
  }
  const auto found = var.as<tir::Var>();
  if (!found) {
    TVM_FFI_THROW(ValueError) << "inverse_affine_iter_map: an iterator is not one of a variable";
  }
  inputs->Set(*found, value);
}

}  // namespace

ffi::Map<tir::Var, PrimExpr> inverse_affine_iter_map(ffi::Array<IterSumExpr> indices,
                                                     ffi::Array<PrimExpr> outputs) {
  if (indices.size() != outputs.size()) {
    TVM_FFI_THROW(ValueError) << "inverse_affine_iter_map: " << indices.size() << " indices need "
                              << "as many outputs, got " << outputs.size();
  }
  InverseMap values;
  std::vector<IterMark> roots;
  for (size_t i = 0; i < indices.size(); ++i) {
    const IterSumExpr& sum = indices[i];
    if (sum->args.size() > 1) {
      TVM_FFI_THROW(ValueError) << "inverse_affine_iter_map: index " << i
                                << " must have at most one term, got " << sum->args.size();
    }
    if (sum->args.empty()) continue;
    const IterSplitExpr& term = sum->args[0];
    const PrimExpr offset = values.Compute(Case::kSub, outputs[i], sum->base);
    values.Add(term, values.Compute(Case::kFloorDiv, offset, term->scale));
    roots.push_back(term->source);
  }
  ffi::Map<tir::Var, PrimExpr> inputs;
  for (const IterMark& mark : MarksInOrder(roots)) {
    if (const auto sum = mark->source.as<IterSumExpr>()) {
      values.Split(mark, *sum);
    } else {
      SetInput(values, mark, &inputs);
    }
  }
  return inputs;
}

}  // namespace uir::arith
