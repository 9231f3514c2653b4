// The C signatures of the functions of a module.
#include "./signature.h"

#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/symbol.h>
#include <uir/tir/expr.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/stmt_functor.h>

#include <algorithm>
#include <utility>

#include "./names.h"

namespace uir::target {

namespace {

/*! \brief Finds the stores, the result and the callees of a function. */
class BodyVisitor : public tir::StmtVisitor {
 public:
  BodyVisitor(ModuleContext* context, Signature* signature)
      : context_(context), signature_(signature) {}

  void VisitPrimExpr(const ir::PrimExpr& expr) override {
    const bool is_leaf = expr.as<tir::VarNode>() || expr.as<ir::IntImmNode>();
    if (is_leaf || seen_.insert(expr.get()).second) return StmtVisitor::VisitPrimExpr(expr);
    signature_->shared.insert(expr.get());
  }

 protected:
  using StmtVisitor::VisitDefault;

  void VisitBufferStore(const tir::BufferStoreNode* op) override {
    signature_->written.insert(op->buffer->data.get());
    StmtVisitor::VisitBufferStore(op);
  }

  void VisitBind(const tir::BindNode* op) override {
    NoteEscape(op->value);
    StmtVisitor::VisitBind(op);
  }

  void VisitLet(const tir::LetNode* op) override {
    NoteEscape(op->value);
    StmtVisitor::VisitLet(op);
  }

  void VisitCall(const tir::CallNode* op) override {
    const auto* callee = op->op.as<ir::GlobalVarNode>();
    const Signature* known = callee == nullptr ? nullptr : context_->SignatureOf(callee);
    const auto* named = op->op.as<ir::OpNode>();
    if (named != nullptr && named->name == "tir.ret") NoteResult(op);
    const bool is_read = named != nullptr && named->name == "tir.vload";
    if (named != nullptr && named->name == "tir.address_of") NoteAddress(op->args[0]);
    for (size_t i = 0; i < op->args.size(); ++i) {
      if (is_read || (known != nullptr && IsConst(*known, i))) continue;
      NoteEscape(op->args[i]);
    }
    StmtVisitor::VisitCall(op);
  }

 private:
  static bool IsConst(const Signature& callee, size_t index) {
    return index < callee.params.size() && callee.params[index].type.substr(0, 6) == "const ";
  }

  void NoteEscape(const ir::PrimExpr& value) {
    if (const auto* var = value.as<tir::VarNode>()) signature_->written.insert(var);
  }

  void NoteAddress(const ir::PrimExpr& element) {
    const auto* load = element.as<tir::BufferLoadNode>();
    if (load != nullptr) signature_->written.insert(load->buffer->data.get());
  }

  void NoteResult(const tir::CallNode* op) {
    const DLDataType dtype = op->args[0]->dtype;
    if (signature_->result && *signature_->result != dtype) {
      context_->problems()->Report(signature_->func, op,
                                   "a function returns values of one data type, got `" +
                                       std::string(ffi::DLDataTypeToString(dtype)) + "` and `" +
                                       std::string(ffi::DLDataTypeToString(*signature_->result)) +
                                       "`");
    }
    signature_->result = dtype;
  }

  ModuleContext* context_;
  Signature* signature_;
  std::unordered_set<const ffi::Object*> seen_;
};

void AddSize(Signature* signature, Prelude* prelude, const ir::PrimExpr& size) {
  const auto* var = size.as<tir::VarNode>();
  if (var == nullptr) return;
  const auto is_same = [&](const Parameter& param) { return param.var == var; };
  if (std::any_of(signature->params.begin(), signature->params.end(), is_same)) return;
  signature->params.push_back({var, nullptr, prelude->TypeOf(var->dtype)});
  ++signature->num_sizes;
}

/*! \brief Whether a parameter is the address of elements, which buffers of the body have. */
bool IsAddress(const tir::VarNode* param) {
  const auto annotated = param->type_annotation.as<ir::PointerType>();
  return annotated && (*annotated)->element_type->IsInstance<ir::PrimTypeNode>();
}

void AddParameters(Signature* signature, Prelude* prelude) {
  const tir::PrimFuncNode* func = signature->func;
  for (const tir::Var& param : func->params) {
    const auto found = func->buffer_map.find(param);
    if (found == func->buffer_map.end()) {
      const bool is_read = IsAddress(param.get()) && signature->written.count(param.get()) == 0;
      const std::string type = prelude->TypeOf(param->dtype);
      signature->params.push_back({param.get(), nullptr, (is_read ? "const " : "") + type});
      continue;
    }
    const tir::BufferNode* buffer = (*found).second.get();
    const bool is_written = signature->written.count(buffer->data.get()) != 0 ||
                            signature->written.count(param.get()) != 0;
    const std::string type = prelude->TypeOf(ir::ElementOf(buffer->dtype)) + "*";
    signature->params.push_back({param.get(), buffer, (is_written ? "" : "const ") + type});
  }
  if (!ir::IsEntered(func)) return;
  for (size_t i = 0; i < func->params.size(); ++i) {
    const tir::BufferNode* buffer = signature->params[i].buffer;
    if (buffer == nullptr) continue;
    for (const ir::PrimExpr& extent : buffer->shape) AddSize(signature, prelude, extent);
    for (const ir::PrimExpr& stride : buffer->strides) AddSize(signature, prelude, stride);
  }
}

}  // namespace

const Signature* ModuleContext::SignatureOf(const ir::GlobalVarNode* var) {
  const auto known = signatures_.find(var);
  if (known != signatures_.end()) {
    const Signature* signature = &known->second;
    if (open_.count(var) != 0 &&
        std::find(early_.begin(), early_.end(), signature) == early_.end()) {
      early_.push_back(signature);
    }
    return signature;
  }
  const auto found = module_->functions.find(ffi::GetRef<ir::GlobalVar>(var));
  const auto* func =
      found == module_->functions.end() ? nullptr : (*found).second.as<tir::PrimFuncNode>();
  if (func == nullptr) return nullptr;
  Signature& signature = signatures_[var];
  signature.func = func;
  signature.name = TakeName(Identifier(std::string(var->name_hint)));
  open_.insert(var);
  BodyVisitor(this, &signature).VisitStmt(func->body);
  AddParameters(&signature, &prelude_);
  open_.erase(var);
  order_.push_back(&signature);
  return &signature;
}

const Signature* ModuleContext::CalleeOf(const ir::GlobalVarNode* var) {
  const Signature* callee = SignatureOf(var);
  if (callee != nullptr) callees_.insert(callee);
  return callee;
}

const std::string& ModuleContext::UsePacked(const std::string& name) {
  uses_first_unit_ = true;
  std::string& made = packed_[name];
  if (made.empty()) made = TakeName(Identifier(name));
  return made;
}

std::string ModuleContext::TakeName(const std::string& wanted) {
  std::string name = wanted + "_";
  for (int i = 1; !names_.insert(name).second; ++i) {
    name = wanted + "_" + std::to_string(i) + "_";
  }
  return name;
}

Signature MathSignature(const MathFunction& math, const tir::PrimFunc& func,
                        const std::string& name, Prelude* prelude) {
  Signature signature;
  signature.func = func.get();
  signature.math = &math;
  signature.result = func->params[0]->dtype;
  signature.name = name;
  for (const tir::Var& param : func->params) {
    signature.params.push_back({param.get(), nullptr, prelude->TypeOf(param->dtype)});
  }
  return signature;
}

std::string HeadOf(const Signature& signature, Prelude* prelude,
                   const std::vector<std::string>& names) {
  std::string params;
  const auto add = [&](const std::string& type, const std::string& name) {
    params += (params.empty() ? "" : ", ") + type + " " + name;
  };
  for (size_t i = 0; i < signature.params.size(); ++i) add(signature.params[i].type, names[i]);
  if (signature.math != nullptr) {
    return "static inline " + prelude->TypeOf(*signature.result) + " " + signature.name + "(" +
           params + ")";
  }
  if (signature.result) add(prelude->TypeOf(*signature.result) + "*", "result");
  return "static int32_t " + signature.name + "(" + (params.empty() ? "void" : params) + ")";
}

bool Signature::HasNoAliases() const {
  return tir::HasNoAliases(func) || func->GetAttr("num_outputs").as<int64_t>().value_or(0) > 0;
}

}  // namespace uir::target
