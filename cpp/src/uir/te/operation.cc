// Operations and tensors: checks of ranks, indices and data types.
#include <tschema/walk.h>
#include <tvm/ffi/error.h>
#include <uir/ir/dtype.h>
#include <uir/ir/operand.h>
#include <uir/te/create.h>
#include <uir/te/operation.h>

#include <string>
#include <utility>

namespace uir::te {

namespace {

/*! \brief The shape of the results of a computation. */
ffi::Array<ir::PrimExpr> ExtentsOf(const ffi::Array<tir::IterVar>& axis) {
  ffi::Array<ir::PrimExpr> shape;
  for (const tir::IterVar& iter_var : axis) shape.push_back(iter_var->dom.value()->extent);
  return shape;
}

void CheckAxis(const ComputeOpNode* op) {
  for (const tir::IterVar& iter_var : op->axis) {
    if (!iter_var->dom.has_value() || iter_var->iter_type != tir::IterVarType::kDataPar) {
      TVM_FFI_THROW(ValueError) << "ComputeOp: `axis` of `" << op->name << "` must be of "
                                << "`IterVarType.DATA_PAR` and have ranges, `"
                                << iter_var->var->name << "` is not";
    }
    const auto* min = iter_var->dom.value()->min.as<ir::IntImmNode>();
    if (min != nullptr && min->value == 0) continue;
    TVM_FFI_THROW(ValueError) << "ComputeOp: the ranges of `axis` of `" << op->name
                              << "` must start at 0, that of `" << iter_var->var->name
                              << "` does not";
  }
}

/*! \brief Check that no reduction is inside another expression. */
void CheckNoneInside(const ComputeOpNode* op, const ir::PrimExpr& element) {
  tschema::Walk(element, [&](const ffi::Object* node) {
    if (node->IsInstance<TensorNode>()) return tschema::kSkip;
    if (node == element.get() || !node->IsInstance<tir::ReduceNode>()) return tschema::kAdvance;
    TVM_FFI_THROW(ValueError) << "ComputeOp: a reduction must be a whole element, but in `"
                              << op->name << "` it is inside another expression: compute it in a "
                              << "tensor of its own";
    TVM_FFI_UNREACHABLE();
  });
}

/*! \brief Check that each reduction is a whole element, and has as many results as elements. */
void CheckReductions(const ComputeOpNode* op) {
  const auto* first = op->body[0].as<tir::ReduceNode>();
  if (first != nullptr) {
    ir::CheckSameSize(op, "body", op->body.size(), "combiner.result",
                      first->combiner->result.size());
  }
  for (const ir::PrimExpr& element : op->body) CheckNoneInside(op, element);
  for (size_t i = 0; i < op->body.size(); ++i) {
    const auto* reduce = op->body[i].as<tir::ReduceNode>();
    const bool fits = (first == nullptr) == (reduce == nullptr) &&
                      (first == nullptr || (reduce->combiner.same_as(first->combiner) &&
                                            reduce->axis.same_as(first->axis) &&
                                            reduce->value_index == static_cast<int32_t>(i)));
    if (fits) continue;
    TVM_FFI_THROW(ValueError) << "ComputeOp: `body` of `" << op->name << "` must be the values of "
                              << "one reduction in their order, or hold no reduction, body[" << i
                              << "] does not fit";
  }
}

}  // namespace

void TensorNode::PostInit() {
  const int64_t count = num_outputs(op);
  if (value_index < 0 || value_index >= count) {
    TVM_FFI_THROW(ValueError) << "Tensor: `value_index` must be at least 0 and below " << count
                              << ", the results of `" << op->name << "`, got " << value_index;
  }
  name = count == 1 ? op->name : op->name + "_" + std::to_string(value_index);
  if (const auto* placeholder = op.as<PlaceholderOpNode>()) {
    shape = placeholder->shape;
    dtype = placeholder->dtype;
  } else if (const auto* compute = op.as<ComputeOpNode>()) {
    shape = ExtentsOf(compute->axis);
    dtype = compute->body[value_index]->dtype;
  } else if (const auto* external = op.as<ExternOpNode>()) {
    shape = external->output_placeholders[value_index]->shape;
    dtype = external->output_placeholders[value_index]->dtype;
  }
  DataProducerNode::PostInit();
}

void PlaceholderOpNode::PostInit() { ir::CheckScalarIntegers(this, "shape", shape); }

void ComputeOpNode::PostInit() {
  if (body.empty()) {
    TVM_FFI_THROW(ValueError) << "ComputeOp: `body` of `" << name << "` must not be empty";
  }
  CheckAxis(this);
  CheckReductions(this);
}

void ExternOpNode::PostInit() {
  ir::CheckSameSize(this, "inputs", inputs.size(), "input_placeholders", input_placeholders.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const tir::Buffer& buffer = input_placeholders[i];
    if (buffer->dtype != inputs[i]->dtype || buffer->shape.size() != inputs[i]->shape.size()) {
      TVM_FFI_THROW(ValueError) << "ExternOp: `input_placeholders[" << i << "]` of `" << name
                                << "` must have the data type and the rank of `" << inputs[i]->name
                                << "`, got `" << buffer->dtype << "` and " << buffer->shape.size();
    }
  }
  if (output_placeholders.empty()) {
    TVM_FFI_THROW(ValueError) << "ExternOp: `output_placeholders` of `" << name
                              << "` must not be empty";
  }
}

Tensor output(Operation op, int32_t index) { return Tensor(std::move(op), index); }

int64_t num_outputs(Operation op) {
  if (const auto* compute = op.as<ComputeOpNode>()) {
    return static_cast<int64_t>(compute->body.size());
  }
  if (const auto* external = op.as<ExternOpNode>()) {
    return static_cast<int64_t>(external->output_placeholders.size());
  }
  return 1;
}

}  // namespace uir::te
