// Modules of chains.
#include "./chain_module.h"

#include <tschema/walk.h>
#include <tvm/ffi/container/tensor.h>
#include <uir/ir/dtype.h>
#include <uir/ir/function.h>
#include <uir/ir/symbol.h>
#include <uir/tir/call.h>
#include <uir/tir/const_fold.h>

#include <utility>

#include "./constant_data.h"
#include "./hash_text.h"

namespace uir::schedule {

using ir::PrimExpr;

namespace {

constexpr const char* kMain = "main";
class ChainCutter {
 public:
  ChainCutter(const ir::IRModule& module, const tir::PrimFunc& host, const TensorChain& chain)
      : module_(module), host_(host), chain_(chain) {
    for (const auto& [param, buffer] : host->buffer_map) Know(buffer);
    for (const tir::Stmt& stmt : Stmts()) {
      if (const auto* allocation = stmt.as<tir::AllocBufferNode>()) Know(allocation->buffer);
      if (const auto* declaration = stmt.as<tir::DeclBufferNode>()) Know(declaration->buffer);
      if (const auto* bind = stmt.as<tir::BindNode>()) values_.emplace(bind->var.get(), bind);
    }
    for (const ChannelTensor* tensor : chain.tensors) own_.insert(tensor->buffer->data.get());
    for (const tir::CallNode* call : chain.calls) calls_.insert(call);
  }

  std::optional<ChainModule> Run() {
    for (const tir::CallNode* call : chain_.calls) {
      for (const PrimExpr& arg : call->args) {
        if (ir::IsHandle(arg->dtype) && !TakeAddress(arg)) return std::nullopt;
      }
    }
    TakeSizes();
    const tir::PrimFunc main = Main();
    ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
    ffi::Array<ffi::Any> parts = {WithoutAttributes(main)};
    functions.Set(ir::GlobalVar(kMain), main);
    if (!AddCallees(main, &functions, &parts)) return std::nullopt;
    return ChainModule{HashText(parts), ir::IRModule(std::move(functions))};
  }

 private:
  ffi::Array<tir::Stmt> Stmts() const {
    const auto* sequence = host_->body.as<tir::SeqStmtNode>();
    return sequence == nullptr ? ffi::Array<tir::Stmt>{host_->body} : sequence->seq;
  }

  void Know(const tir::Buffer& buffer) { buffers_.emplace(buffer->data.get(), buffer); }

  /*! \brief Take a tensor: one of the chain, a constant, or else a parameter. */
  bool TakeAddress(const PrimExpr& arg) {
    const auto buffer = buffers_.find(arg.get());
    if (buffer == buffers_.end()) return false;
    if (own_.count(arg.get()) != 0) return true;
    const auto value = values_.find(arg.get());
    if (value != values_.end()) {
      if (!ConstantOf(value->second->value)) return false;
      bound_.insert(arg.get());
    } else if (given_.insert(arg.get()).second) {
      const tir::Var param(buffer->second->name, arg->dtype);
      params_.push_back(param);
      buffer_map_.Set(param, buffer->second);
    }
    return true;
  }

  /*! \brief Take the sizes in calls and shapes: those of parameters are known, others are bound as
   * in the host function, or parameters. */
  void TakeSizes() {
    for (const auto& [param, buffer] : buffer_map_) {
      for (const PrimExpr& extent : buffer->shape) given_.insert(extent.get());
    }
    for (const auto& [param, buffer] : buffer_map_) TakeSizesOf(buffer->shape);
    for (const ChannelTensor* tensor : chain_.tensors) TakeSizesOf(tensor->buffer->shape);
    for (const tir::CallNode* call : chain_.calls) TakeSizesOf(call->args);
  }

  void TakeSizesOf(const ffi::ObjectRef& node) {
    tschema::Walk(node, [&](const tir::VarNode* var) {
      if (ir::IsHandle(var->dtype) || given_.count(var) != 0 || bound_.count(var) != 0) return;
      const auto value = values_.find(var);
      if (value != values_.end() && IsArithmetic(value->second->value)) {
        bound_.insert(var);
        return TakeSizesOf(value->second->value);
      }
      given_.insert(var);
      params_.push_back(ffi::GetRef<tir::Var>(var));
    });
  }

  /*! \brief Whether a value depends on sizes alone. */
  static bool IsArithmetic(const PrimExpr& value) {
    bool is_arithmetic = true;
    tschema::Walk(value, [&](const tir::BufferLoadNode*) { is_arithmetic = false; });
    tschema::Walk(value, [&](const tir::CallNode*) { is_arithmetic = false; });
    return is_arithmetic;
  }

  tir::PrimFunc Main() const {
    const ffi::Any attribute = host_->GetAttr(kConstants);
    const auto all = attribute.as<ffi::Array<ffi::Tensor>>().value_or(ffi::Array<ffi::Tensor>());
    ffi::Array<ffi::Tensor> constants;
    ffi::Array<tir::Stmt> stmts;
    for (const tir::Stmt& stmt : Stmts()) {
      const auto* bind = stmt.as<tir::BindNode>();
      if (bind == nullptr || bound_.count(bind->var.get()) == 0) {
        if (IsOwn(stmt)) stmts.push_back(stmt);
        continue;
      }
      const auto index = ConstantOf(bind->value);
      PrimExpr value = bind->value;
      if (index) {
        value = tir::constant_data(static_cast<int64_t>(constants.size()));
        constants.push_back(all[*index]);
      }
      stmts.push_back(tir::Bind(bind->var, value, stmt->span));
    }
    return tir::PrimFunc(params_, tir::SeqStmt(std::move(stmts)), buffer_map_, std::nullopt,
                         ir::DictAttrs({{ir::kGlobalSymbol, ffi::String(kMain)},
                                        {kConstants, std::move(constants)}}));
  }

  /*! \brief Whether a statement is a call, an allocation or a declaration of the chain. */
  bool IsOwn(const tir::Stmt& stmt) const {
    if (const auto* evaluate = stmt.as<tir::EvaluateNode>()) {
      return calls_.count(evaluate->value.get()) != 0;
    }
    if (const auto* allocation = stmt.as<tir::AllocBufferNode>()) {
      return own_.count(allocation->buffer->data.get()) != 0;
    }
    const auto* declaration = stmt.as<tir::DeclBufferNode>();
    if (declaration == nullptr) return false;
    const ffi::Object* data = declaration->buffer->data.get();
    return own_.count(data) != 0 || bound_.count(data) != 0;
  }

  /*! \brief Add the functions that a function calls, and those that these call. */
  bool AddCallees(const tir::PrimFunc& func, ffi::Map<ir::GlobalVar, ir::BaseFunc>* functions,
                  ffi::Array<ffi::Any>* parts) const {
    bool are_known = true;
    std::vector<tir::PrimFunc> added;
    tschema::Walk(func->body, [&](const ir::GlobalVarNode* node) {
      const auto var = ffi::GetRef<ir::GlobalVar>(node);
      if (functions->count(var) != 0) return;
      const auto callee = module_->functions.Get(var);
      const auto prim = callee ? callee->as<tir::PrimFunc>() : std::nullopt;
      are_known = are_known && prim && var->name_hint != kMain;
      if (!are_known) return;
      functions->Set(var, *prim);
      parts->push_back(WithoutAttributes(*prim));
      added.push_back(*prim);
    });
    for (const tir::PrimFunc& one : added) {
      are_known = are_known && AddCallees(one, functions, parts);
    }
    return are_known;
  }

  const ir::IRModule& module_;
  const tir::PrimFunc& host_;
  const TensorChain& chain_;
  /*! \brief The buffers of the host function by the variables of their addresses. */
  std::unordered_map<const ffi::Object*, tir::Buffer> buffers_;
  std::unordered_map<const ffi::Object*, const tir::BindNode*> values_;
  std::unordered_set<const ffi::Object*> own_;
  std::unordered_set<const ffi::Object*> calls_;
  /*! \brief The variables that `main` binds as the host function does. */
  std::unordered_set<const ffi::Object*> bound_;
  /*! \brief The variables that the parameters of `main` define. */
  std::unordered_set<const ffi::Object*> given_;
  ffi::Array<tir::Var> params_;
  ffi::Map<tir::Var, tir::Buffer> buffer_map_;
};

}  // namespace

std::optional<ChainModule> ModuleOf(const ir::IRModule& module, const tir::PrimFunc& host,
                                    const TensorChain& chain) {
  return ChainCutter(module, host, chain).Run();
}

}  // namespace uir::schedule
