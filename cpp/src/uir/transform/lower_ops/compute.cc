// Lowering by the text `compute` of a declaration: `y[*b, m, n] += a[*b, m, k] * b[*b, k, n]`.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "../../relay/operator_rule.h"
#include "./element_formula.h"
#include "./operator_call.h"
#include "./reduce.h"

namespace uir::transform {

namespace {

using relay::Formula;
using relay::FormulaKind;

/*! \brief An assignment, parsed. */
struct Assignment {
  /*! \brief `y[*b, m, n]`. */
  Formula target;
  /*! \brief `=`, `+=`, `*=`, `max=` or `min=`. */
  std::string sign;
  Formula value;
};

Assignment ParseAssignment(std::string_view text) {
  const size_t end = text.find(']') + 1;
  const size_t sign = text.find('=', end);
  Assignment parsed;
  std::vector<std::string> names;
  parsed.target = relay::ParseFormula(text.substr(0, end), &names);
  const size_t begin = std::min(text.find_first_not_of(' ', end), sign);
  parsed.sign = text.substr(begin, sign + 1 - begin);
  parsed.value = relay::ParseFormula(text.substr(sign + 1), &names);
  return parsed;
}

te::ReduceKind KindOf(const std::string& sign) {
  if (sign == "+=") return te::ReduceKind::kSum;
  if (sign == "*=") return te::ReduceKind::kProd;
  return sign == "max=" ? te::ReduceKind::kMax : te::ReduceKind::kMin;
}

/*! \brief How many axes of a tensor of some rank the pack among indices stands for. */
size_t PackSize(const Formula& read, size_t rank) {
  return rank - std::min(rank, read.parts.size() - 2);
}

/*! \brief The names of the indices of a tensor; empty where an index is an expression. */
std::vector<std::string> LabelsOf(const Formula& read, size_t rank) {
  std::vector<std::string> labels;
  for (size_t i = 1; i < read.parts.size(); ++i) {
    const Formula& index = read.parts[i];
    if (index.kind != FormulaKind::kPack) {
      labels.push_back(index.kind == FormulaKind::kName ? index.name : "");
      continue;
    }
    // The dimensions of a pack match from the last one.
    for (size_t place = PackSize(read, rank); place > 0; --place) {
      labels.push_back(index.name + "." + std::to_string(place));
    }
  }
  return labels;
}

/*! \brief The indices that a result lacks, in the order of their first reads. */
class ReducedLabels {
 public:
  ReducedLabels(const OperatorCall& call, const Assignment& assignment) : call_(call) {
    known_ = LabelsOf(assignment.target, call.results[0]->shape.size());
    Visit(assignment.value);
  }

  const std::vector<std::string>& labels() const { return labels_; }
  const Indices& extents() const { return extents_; }

 private:
  void Visit(const Formula& formula) {
    for (const Formula& part : formula.parts) Visit(part);
    if (formula.kind != FormulaKind::kIndex) return;
    const int32_t place = ir::FindOperand(*call_.row, formula.parts[0].name);
    if (place < 0 || !call_.Has(place)) return;
    const Indices& shape = call_.operand(place).shape();
    const std::vector<std::string> labels = LabelsOf(formula, shape.size());
    for (size_t i = 0; i < labels.size(); ++i) Add(labels[i], shape[static_cast<int64_t>(i)]);
  }

  void Add(const std::string& label, const PrimExpr& extent) {
    if (label.empty() || std::find(known_.begin(), known_.end(), label) != known_.end()) return;
    if (ir::FindOperand(*call_.row, label) >= 0) return;
    const auto found = std::find(labels_.begin(), labels_.end(), label);
    if (found == labels_.end()) {
      labels_.push_back(label);
      return extents_.push_back(extent);
    }
    const auto at = static_cast<int64_t>(found - labels_.begin());
    if (ConstantIndex(extents_[at]) == 1) extents_.Set(at, extent);
  }

  const OperatorCall& call_;
  std::vector<std::string> known_;
  std::vector<std::string> labels_;
  Indices extents_;
};

/*! \brief Reads operands at indices, some of which are names. */
class ComputeFormula : public ElementFormula {
 public:
  ComputeFormula(const OperatorCall& call, std::map<std::string, PrimExpr> labels)
      : call_(call), labels_(std::move(labels)) {}

 protected:
  ffi::Any NameOf(const Formula& name) override {
    const auto label = labels_.find(name.name);
    if (label != labels_.end()) return label->second;
    const int32_t place = ir::FindOperand(*call_.row, name.name);
    if (place < 0) return relay::AttributeOf(call_.call, name.name);
    // Without indices, an operand is given or not.
    if (!call_.Has(place)) return nullptr;
    return WideElement(call_.operand(place), {});
  }

  ffi::Any RunIndex(const Formula& formula) override {
    const int32_t place = ir::FindOperand(*call_.row, formula.parts[0].name);
    if (place < 0) return ElementFormula::RunIndex(formula);
    const Value& operand = call_.operand(place);
    Indices indices;
    for (size_t i = 1; i < formula.parts.size(); ++i) {
      const Formula& index = formula.parts[i];
      if (index.kind != FormulaKind::kPack) {
        indices.push_back(NumberIn(Run(index), ir::IntType(64)));
        continue;
      }
      for (size_t place = PackSize(formula, operand.rank()); place > 0; --place) {
        indices.push_back(labels_.at(index.name + "." + std::to_string(place)));
      }
    }
    return WideElement(operand, BroadcastIndices(indices, operand.shape()));
  }

 private:
  const OperatorCall& call_;
  std::map<std::string, PrimExpr> labels_;
};

std::map<std::string, PrimExpr> Bound(const std::vector<std::string>& labels,
                                      const Indices& indices) {
  std::map<std::string, PrimExpr> bound;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].empty()) bound.emplace(labels[i], indices[static_cast<int64_t>(i)]);
  }
  return bound;
}

}  // namespace

Values LowerCompute(const OperatorCall& call) {
  const ir::Op op = call.call->op.as<ir::Op>().value();
  const Assignment assignment =
      ParseAssignment(std::string(ir::op_attr(op, "compute").cast<ffi::String>()));
  for (const Values& operand : call.operands) {
    for (const Value& value : operand) value.StoreIfComputed();
  }
  const ir::TensorType type = call.results[0];
  const DLDataType wide = WideType(type->dtype);
  const std::vector<std::string> labels = LabelsOf(assignment.target, type->shape.size());
  const auto element = [=](std::map<std::string, PrimExpr> bound) {
    return ComputeFormula(call, std::move(bound)).Element(assignment.value, wide);
  };
  const ReducedLabels reduced(call, assignment);
  if (assignment.sign == "=") {
    return {call.Result([=](const Indices& indices) {
      return tir::cast(element(Bound(labels, indices)), type->dtype);
    })};
  }
  const auto source = [&](const Indices& indices, const Indices& axes) {
    std::map<std::string, PrimExpr> bound = Bound(labels, indices);
    bound.merge(Bound(reduced.labels(), axes));
    return element(std::move(bound));
  };
  const Reduction reduction = {call.Name(), KindOf(assignment.sign), type->shape, reduced.extents(),
                               source};
  return {Converted(reduction.Make(), type->dtype)};
}

}  // namespace uir::transform
