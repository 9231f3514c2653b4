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
#include "./assignment.h"
#include "./element_formula.h"
#include "./reduce.h"

namespace uir::transform {

namespace {

using ir::Formula;
using ir::FormulaKind;

/*! \brief A parsed assignment. */
struct Assignment {
  /*! \brief `y[*b, m, n]`. */
  Formula target;
  /*! \brief `=`, `+=`, `*=`, `max=` or `min=`. */
  std::string sign;
  Formula value;
};

Assignment ParseAssignment(std::string_view text) {
  const size_t end = text.find('=');
  size_t begin = end;
  if (begin > 0 && (text[begin - 1] == '+' || text[begin - 1] == '*')) begin -= 1;
  const std::string_view word = begin >= 3 ? text.substr(begin - 3, 3) : std::string_view();
  if (word == "max" || word == "min") begin -= 3;
  Assignment parsed;
  std::vector<std::string> names;
  parsed.target = ir::ParseFormula(text.substr(0, begin), &names);
  parsed.sign = text.substr(begin, end + 1 - begin);
  parsed.value = ir::ParseFormula(text.substr(end + 1), &names);
  return parsed;
}

te::ReduceKind KindOf(const std::string& sign) {
  if (sign == "+=") return te::ReduceKind::kSum;
  if (sign == "*=") return te::ReduceKind::kProd;
  return sign == "max=" ? te::ReduceKind::kMax : te::ReduceKind::kMin;
}

/*! \brief The number of axes that the pack among the indices of a tensor covers. */
size_t PackSize(const Formula& read, size_t rank) {
  return rank - std::min(rank, read.parts.size() - 2);
}

/*! \brief The names of the indices of a tensor; empty for an index that is an expression. */
std::vector<std::string> LabelsOf(const Formula& read, size_t rank) {
  std::vector<std::string> labels;
  for (size_t i = 1; i < read.parts.size(); ++i) {
    const Formula& index = read.parts[i];
    if (index.kind != FormulaKind::kPack) {
      labels.push_back(index.kind == FormulaKind::kName ? index.name : "");
      continue;
    }
    // The dimensions of a pack match from the last one on.
    for (size_t place = PackSize(read, rank); place > 0; --place) {
      labels.push_back(index.name + "." + std::to_string(place));
    }
  }
  return labels;
}

/*! \brief The indices that a result lacks, in the order of their first reads. */
class ReducedLabels {
 public:
  ReducedLabels(const TensorNames& names, const Assignment& assignment, size_t rank)
      : names_(names), known_(LabelsOf(assignment.target, rank)) {
    Visit(assignment.value);
  }

  const std::vector<std::string>& labels() const { return labels_; }
  const Indices& extents() const { return extents_; }

 private:
  void Visit(const Formula& formula) {
    for (const Formula& part : formula.parts) Visit(part);
    if (formula.kind != FormulaKind::kIndex) return;
    const Value* tensor = names_.tensor(formula.parts[0].name);
    if (tensor == nullptr) return;
    const Indices& shape = tensor->shape();
    const std::vector<std::string> labels = LabelsOf(formula, shape.size());
    for (size_t i = 0; i < labels.size(); ++i) Add(labels[i], shape[static_cast<int64_t>(i)]);
  }

  void Add(const std::string& label, const PrimExpr& extent) {
    if (label.empty() || std::find(known_.begin(), known_.end(), label) != known_.end()) return;
    const auto found = std::find(labels_.begin(), labels_.end(), label);
    if (found == labels_.end()) {
      labels_.push_back(label);
      return extents_.push_back(extent);
    }
    const auto at = static_cast<int64_t>(found - labels_.begin());
    if (ConstantIndex(extents_[at]) == 1) extents_.Set(at, extent);
  }

  const TensorNames& names_;
  std::vector<std::string> known_;
  std::vector<std::string> labels_;
  Indices extents_;
};

/*! \brief Reads operands at indices, some of which are names. */
class ComputeFormula : public ElementFormula {
 public:
  ComputeFormula(const TensorNames& names, std::map<std::string, PrimExpr> labels)
      : names_(names), labels_(std::move(labels)) {}

 protected:
  ffi::Any RunName(const Formula& name) override {
    const auto label = labels_.find(name.name);
    if (label != labels_.end()) return label->second;
    const Value* tensor = names_.tensor(name.name);
    if (tensor == nullptr) return names_.attribute(name.name);
    return WideElement(*tensor, {});
  }

  ffi::Any RunIndex(const Formula& formula) override {
    const Value* tensor = names_.tensor(formula.parts[0].name);
    if (tensor == nullptr) return ElementFormula::RunIndex(formula);
    const Value& operand = *tensor;
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
  const TensorNames& names_;
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

/*! \brief Store each operand of which the result reads an element more than once. */
void StoreOperands(const OperatorCall& call, const Assignment& assignment) {
  for (size_t i = 0; i < call.operands.size(); ++i) {
    const std::string name = call.row->operands[static_cast<int32_t>(i)].name;
    const bool is_read_once = assignment.sign == "=" && CountOfName(assignment.value, name) == 1;
    for (const Value& value : call.operands[i]) {
      if (is_read_once) StoreIfBroadcast(value, call.results[0]->shape);
      if (!is_read_once) value.StoreIfComputed();
    }
  }
}

}  // namespace

Value LowerAssignment(const std::string& text, const TensorNames& names, const std::string& name,
                      const ir::TensorType& type) {
  const Assignment assignment = ParseAssignment(text);
  const DLDataType wide = WideType(type->dtype);
  const std::vector<std::string> labels = LabelsOf(assignment.target, type->shape.size());
  const auto element = [=](std::map<std::string, PrimExpr> bound) {
    return ComputeFormula(names, std::move(bound)).Element(assignment.value, wide);
  };
  const ReducedLabels reduced(names, assignment, type->shape.size());
  if (assignment.sign == "=") {
    const auto result = [=](const Indices& indices) {
      return tir::cast(element(Bound(labels, indices)), type->dtype);
    };
    return {name, type->shape, type->dtype, result};
  }
  const auto source = [&](const Indices& indices, const Indices& axes) {
    std::map<std::string, PrimExpr> bound = Bound(labels, indices);
    bound.merge(Bound(reduced.labels(), axes));
    return element(std::move(bound));
  };
  const Reduction reduction = {name, KindOf(assignment.sign), type->shape, reduced.extents(),
                               source};
  return Converted(reduction.Make(), type->dtype);
}

Values LowerCompute(const OperatorCall& call) {
  const ir::Op op = call.call->op.as<ir::Op>().value();
  const std::string text = ir::op_attr(op, "compute").cast<ffi::String>();
  StoreOperands(call, ParseAssignment(text));
  TensorNames names;
  names.tensor = [call](const std::string& name) -> const Value* {
    const int32_t place = ir::FindOperand(*call.row, name);
    return place >= 0 && call.Has(place) ? &call.operand(place) : nullptr;
  };
  names.attribute = [call](const std::string& name) -> ffi::Any {
    if (ir::FindOperand(*call.row, name) >= 0) return nullptr;
    return relay::AttributeOf(call.call, name);
  };
  return {LowerAssignment(text, names, call.Name(), call.results[0])};
}

}  // namespace uir::transform
