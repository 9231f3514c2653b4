// Calls by data pointers and sizes; sizes that a callee's buffers bind become its parameters.
#include "./explicit_sizes.h"

#include <tschema/structural_equal.h>
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/function.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/ir/symbol.h>
#include <uir/tir/call.h>
#include <uir/tir/expr.h>
#include <uir/tir/op.h>
#include <uir/tir/packed.h>
#include <uir/transform/node_copy.h>

#include <string>
#include <utility>

namespace uir::transform {

namespace {

constexpr DLDataType kVoid = {kDLOpaqueHandle, 0, 0};
std::string Quoted(const ffi::String& name) { return "`" + std::string(name) + "`"; }

/*! \brief The data pointers of buffers. */
ffi::Array<ir::PrimExpr> PointersOf(const std::vector<tir::Buffer>& buffers) {
  ffi::Array<ir::PrimExpr> pointers;
  for (const tir::Buffer& buffer : buffers) pointers.push_back(buffer->data);
  return pointers;
}

/*! \brief Whether an external function is a registered global function, such as one in Python. */
bool IsGlobalFunction(const ir::ExternFunc& callee) {
  if (callee->GetAttr("source") != nullptr) return false;
  return ffi::Function::GetGlobal(callee->global_symbol).has_value();
}

/*! \brief Call a global function with tensors. */
tir::Stmt CallGlobal(const ir::ExternFunc& callee, const std::vector<tir::Buffer>& buffers,
                     const ffi::Optional<ir::Span>& span) {
  ffi::Array<ir::PrimExpr> args;
  for (const tir::Buffer& buffer : buffers) args.push_back(tir::tensor_argument(buffer));
  return tir::Evaluate(
      tir::call_packed(ir::StringImm(callee->global_symbol), std::move(args), kVoid), span);
}

tir::Stmt CallExtern(const ir::ExternFunc& callee, const std::vector<tir::Buffer>& buffers,
                     const ffi::Optional<ir::Span>& span) {
  if (IsGlobalFunction(callee)) return CallGlobal(callee, buffers, span);
  ffi::Array<ir::PrimExpr> args = PointersOf(buffers);
  for (const tir::Buffer& buffer : buffers) {
    for (const ir::PrimExpr& extent : buffer->shape) {
      if (extent.as<ir::IntImmNode>() == nullptr)
        args.push_back(tir::cast(extent, ir::IntType(64)));
    }
  }
  return tir::Evaluate(
      tir::call_extern(ir::StringImm(callee->global_symbol), std::move(args), kVoid), span);
}

/*! \brief Finds the variables that the shapes of a function's buffers bind, in order. */
class SizeFinder {
 public:
  SizeFinder(const tir::PrimFunc& func, const ir::GlobalVar& name, const relay::CallNode* call)
      : func_(func), name_(name), call_(call) {
    for (const tir::Var& param : func->params) known_.insert(param.get());
  }

  std::vector<tir::Var> Run() {
    for (const tir::Var& param : func_->params) {
      for (const ir::PrimExpr& extent : BufferOf(param)->shape) {
        const auto var = extent.as<tir::Var>();
        if (var && known_.insert(var->get()).second) sizes_.push_back(*var);
      }
    }
    for (const auto& [param, buffer] : func_->buffer_map) CheckShape(buffer);
    return std::move(sizes_);
  }

 private:
  tir::Buffer BufferOf(const tir::Var& param) const {
    const auto found = func_->buffer_map.find(param);
    if (found == func_->buffer_map.end()) {
      Fail(param->name, "must be a buffer");
    }
    const tir::Buffer buffer = (*found).second;
    const auto* offset = buffer->elem_offset.value().as<ir::IntImmNode>();
    if (!buffer->IsCompact() || offset == nullptr || offset->value != 0) {
      Fail(buffer->name, "must be compact");
    }
    return buffer;
  }

  void CheckShape(const tir::Buffer& buffer) const {
    tschema::Walk(buffer->shape, [&](const tir::VarNode* var) {
      if (known_.count(var) != 0) return;
      Fail(buffer->name, "has the size " + Quoted(var->name) + ", which no buffer binds");
    });
  }

  [[noreturn]] void Fail(const ffi::String& param, const std::string& what) const {
    ir::ThrowAt(call_, "ValueError",
                Quoted(name_->name_hint) + ": parameter " + Quoted(param) + " " + what);
  }

  const tir::PrimFunc& func_;
  const ir::GlobalVar& name_;
  const relay::CallNode* call_;
  std::unordered_set<const ffi::Object*> known_;
  std::vector<tir::Var> sizes_;
};

/*! \brief The value of a size: the first extent of an argument whose parameter has the variable. */
ir::PrimExpr ValueOf(const tir::Var& size, const tir::PrimFunc& func,
                     const std::vector<tir::Buffer>& buffers) {
  for (size_t i = 0; i < buffers.size(); ++i) {
    const tir::Buffer param = func->buffer_map.at(func->params[static_cast<int64_t>(i)]);
    for (size_t axis = 0; axis < param->shape.size(); ++axis) {
      const auto at = static_cast<int64_t>(axis);
      if (param->shape[at].same_as(size)) return tir::cast(buffers[i]->shape[at], size->dtype);
    }
  }
  TVM_FFI_UNREACHABLE();
}

}  // namespace

ExplicitSizes::ExplicitSizes(const ir::IRModule& module)
    : module_(module), names_(module->functions) {
  for (const auto& [var, func] : module->functions) {
    const auto* prim = func.as<tir::PrimFuncNode>();
    if (prim == nullptr) continue;
    tschema::Walk(prim->body,
                  [this](const tir::CallNode* call) { called_.insert(call->op.get()); });
  }
}

tir::Stmt ExplicitSizes::Call(const relay::CallNode* call,
                              const std::vector<tir::Buffer>& buffers) {
  if (const auto callee = call->args[0].as<ir::ExternFunc>()) {
    KeepSource(*callee);
    return CallExtern(*callee, buffers, call->span);
  }
  const auto var = call->args[0].as<ir::GlobalVar>().value();
  const auto found = module_->functions.find(var);
  if (found == module_->functions.end()) {
    ir::ThrowAt(call, "ValueError", "the module has no function " + Quoted(var->name_hint));
  }
  if (const auto callee = (*found).second.as<ir::ExternFunc>()) {
    return CallExtern(*callee, buffers, call->span);
  }
  const Callee& callee = Find(var, call);
  bool fits = callee.func->buffer_map.size() == buffers.size();
  for (size_t i = 0; fits && i < buffers.size(); ++i) {
    const tir::Buffer param = callee.func->buffer_map.at(callee.func->params[i]);
    fits = param->shape.size() == buffers[i]->shape.size() && param->dtype == buffers[i]->dtype;
  }
  if (!fits) {
    ir::ThrowAt(call, "TypeError",
                "the arguments do not fit the parameters of " + Quoted(var->name_hint) +
                    "; run `InferType` first, which says why");
  }
  ffi::Array<ir::PrimExpr> args = PointersOf(buffers);
  for (const tir::Var& size : callee.sizes) args.push_back(ValueOf(size, callee.func, buffers));
  return tir::Evaluate(tir::Call(kVoid, callee.var, std::move(args)), call->span);
}

/*! \brief Add an external function with a source to the module, unless it is there already. */
void ExplicitSizes::KeepSource(const ir::ExternFunc& callee) {
  if (callee->GetAttr("source") == nullptr) return;
  for (const auto& functions : {module_->functions, functions_}) {
    for (const auto& [var, func] : functions) {
      const bool is_known = func.as<ir::ExternFuncNode>() != nullptr;
      if (is_known && tschema::StructuralEqual(func, callee)) return;
    }
  }
  functions_.Set(ir::GlobalVar(names_.New(std::string(callee->global_symbol))), callee);
}

const ExplicitSizes::Callee& ExplicitSizes::Find(const ir::GlobalVar& var,
                                                 const relay::CallNode* call) {
  const auto known = callees_.find(var.get());
  if (known != callees_.end()) return known->second;
  const auto func = module_->functions.at(var).as<tir::PrimFunc>();
  if (!func) {
    ir::ThrowAt(call, "TypeError",
                Quoted(var->name_hint) + " is a `" + module_->functions.at(var)->GetTypeKey() +
                    "`, which `call_destination_passing` does not call");
  }
  return callees_.emplace(var.get(), WithSizes(var, *func, call)).first->second;
}

ExplicitSizes::Callee ExplicitSizes::WithSizes(const ir::GlobalVar& var, const tir::PrimFunc& func,
                                               const relay::CallNode* call) {
  std::vector<tir::Var> sizes = SizeFinder(func, var, call).Run();
  if (sizes.empty()) return {var, func, {}};
  ffi::Array<tir::Var> params = func->params;
  for (const tir::Var& size : sizes) params.push_back(size);
  tir::PrimFunc sized = CopyOf<tir::PrimFunc>(func.get());
  Write(sized)->params = std::move(params);
  const bool is_shared = ir::IsPublic(func.get()) || called_.count(var.get()) != 0;
  if (!is_shared) {
    functions_.Set(var, sized);
    return {var, func, std::move(sizes)};
  }
  has_copies_ = true;
  const ir::GlobalVar copy(names_.New(std::string(var->name_hint) + "_sized"));
  functions_.Set(copy, ir::with_attr(sized, ir::kGlobalSymbol, nullptr));
  return {copy, func, std::move(sizes)};
}

}  // namespace uir::transform
