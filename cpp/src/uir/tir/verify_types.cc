// Checks data types, ranks, kinds of loops, and calls in tensor-level functions.
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>

#include "./verify_function.h"

namespace uir::tir {

namespace {

std::string Text(DLDataType dtype) {
  return "`" + std::string(ffi::DLDataTypeToString(dtype)) + "`";
}

}  // namespace

void FunctionVerifier::CheckSame(const ffi::Object* node, const char* a_name, const ir::PrimExpr& a,
                                 const char* b_name, const ir::PrimExpr& b) {
  if (a->dtype == b->dtype) return;
  Report(node, "operands `" + std::string(a_name) + "` and `" + b_name +
                   "` must have the same data type, got " + Text(a->dtype) + " and " +
                   Text(b->dtype));
}

void FunctionVerifier::VisitSelect(const SelectNode* op) {
  CheckSame(op, "true_value", op->true_value, "false_value", op->false_value);
  VisitDefault(op);
}

/*! \brief Check that a buffer is in scope at a use, with as many indices as dimensions. */
void FunctionVerifier::CheckUse(const ffi::Object* node, const Buffer& buffer, size_t num_indices) {
  if (num_indices != buffer->shape.size()) {
    Report(node, "buffer " + Quoted(buffer->name) + " has " + std::to_string(buffer->shape.size()) +
                     " dimensions, got " + std::to_string(num_indices) + " indices");
  }
  if (bound_.count(buffer.get()) != 0) return;
  const auto binding = verifier_->bindings().find(buffer.get());
  if (binding == verifier_->bindings().end()) {
    return Report(node, "buffer " + Quoted(buffer->name) + " is not declared");
  }
  verifier_->Report(node, "buffer " + Quoted(buffer->name) + " is used outside of its allocation",
                    {{binding->second, Quoted(buffer->name) + " is declared here"}});
}

void FunctionVerifier::VisitBufferLoad(const BufferLoadNode* op) {
  CheckUse(op, op->buffer, op->indices.size());
  VisitParts(op->indices);
  if (op->predicate.has_value()) VisitPrimExpr(op->predicate.value());
}

void FunctionVerifier::VisitBufferStore(const BufferStoreNode* op) {
  CheckUse(op, op->buffer, op->indices.size());
  const DLDataType element = op->buffer->dtype;
  const int lanes = op->indices.empty() ? 1 : ir::LanesOf(op->indices.back()->dtype);
  const DLDataType expected = ir::WithLanes(element, ir::LanesOf(element) * lanes);
  if (op->value->dtype != expected) {
    Report(op, "the value stored to " + Quoted(op->buffer->name) + " must be " + Text(expected) +
                   ", got " + Text(op->value->dtype));
  }
  VisitPrimExpr(op->value);
  VisitParts(op->indices);
  if (op->predicate.has_value()) VisitPrimExpr(op->predicate.value());
}

void FunctionVerifier::VisitBufferRegion(const BufferRegionNode* op) {
  CheckUse(op, op->buffer, op->region.size());
  for (const ir::Range& range : op->region) VisitRange(range.get());
}

void FunctionVerifier::VisitCall(const CallNode* op) {
  if (const std::optional<ir::GlobalVar> callee = op->op.as<ir::GlobalVar>()) {
    CheckCallee(op, *callee);
  }
  VisitParts(op->args);
}

void FunctionVerifier::CheckCallee(const CallNode* call, const ir::GlobalVar& callee) {
  const auto& functions = verifier_->module()->functions;
  const auto found = functions.find(callee);
  const std::string name = Quoted(callee->name_hint);
  if (found == functions.end()) {
    const bool is_named = verifier_->module()->Contains(callee->name_hint);
    return Report(call, "there is no function " + name + " in the module" +
                            (is_named ? "; the one of that name has another variable" : ""));
  }
  const auto* func = (*found).second.as<PrimFuncNode>();
  if (func == nullptr) return;
  if (call->args.size() != func->params.size()) {
    return Report(call, "function " + name + " takes " + std::to_string(func->params.size()) +
                            " arguments, got " + std::to_string(call->args.size()));
  }
  for (size_t i = 0; i < call->args.size(); ++i) {
    const DLDataType expected = func->params[i]->dtype;
    if (call->args[i]->dtype == expected) continue;
    Report(call, "parameter " + Quoted(func->params[i]->name) + " of " + name + " is " +
                     Text(expected) + ", got " + Text(call->args[i]->dtype));
  }
}

void FunctionVerifier::CheckKind(const ForNode* loop) {
  CheckSame(loop, "loop_var", loop->loop_var, "min", loop->min);
  CheckSame(loop, "loop_var", loop->loop_var, "extent", loop->extent);
  const std::string name = Quoted(loop->loop_var->name);
  if (loop->kind == ForKind::kThreadBinding) return CheckThread(loop);
  if (loop->thread_binding.has_value()) {
    Report(loop, "loop " + name + " has a `thread_binding` and is not bound to threads");
  }
  if (loop->kind == ForKind::kVectorized && loop->extent.as<ir::IntImmNode>() == nullptr) {
    Report(loop, "vectorized loop " + name + " must have a constant extent, got " +
                     std::string(ir::describe(loop->extent)));
  }
}

void FunctionVerifier::CheckThread(const ForNode* loop) {
  const std::string name = Quoted(loop->loop_var->name);
  if (!loop->thread_binding.has_value()) {
    return Report(loop, "loop " + name + " is bound to threads and has no `thread_binding`");
  }
  const IterVar axis = loop->thread_binding.value();
  if (axis->thread_tag.empty()) {
    Report(loop, "`thread_binding` of loop " + name + " must name a thread, such as `threadIdx.x`");
  }
  if (axis->iter_type != IterVarType::kThreadIndex) {
    Report(loop, "`thread_binding` of loop " + name + " must be of `IterVarType.THREAD_INDEX`");
  }
  for (const ForNode* outer : threads_) {
    if (!outer->thread_binding.has_value()) continue;
    if (outer->thread_binding.value()->thread_tag != axis->thread_tag) continue;
    verifier_->Report(loop,
                      "loop " + name + " is bound to " + Quoted(axis->thread_tag) +
                          ", to which a loop around it is bound",
                      {{outer, "the loop around it is this one"}});
  }
}

}  // namespace uir::tir
