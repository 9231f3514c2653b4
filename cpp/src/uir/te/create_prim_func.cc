// Functions from tensor expressions: a loop nest for each operation, producers first.
#include <tschema/walk.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/error.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/symbol.h>
#include <uir/te/create.h>
#include <uir/te/operation.h>
#include <uir/tir/builder.h>
#include <uir/tir/no_alias.h>
#include <uir/tir/op.h>
#include <uir/tir/stmt_functor.h>

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace uir::te {

namespace {

using ir::PrimExpr;
using tir::Buffer;
using tir::Var;

/*! \brief A result of an operation, the key of tensors: equal ones may be distinct objects. */
struct Result {
  const OperationNode* op;
  int32_t index;

  bool operator==(const Result& other) const { return op == other.op && index == other.index; }
};

struct ResultHash {
  size_t operator()(const Result& result) const {
    return std::hash<const void*>()(result.op) * 31 + static_cast<size_t>(result.index);
  }
};

Result ResultOf(const TensorNode* tensor) { return {tensor->op.get(), tensor->value_index}; }

using Buffers = std::unordered_map<Result, Buffer, ResultHash>;

/*!
 * \brief Replaces reads of tensors by reads of buffers, and indices by loop variables.
 *
 * A shared expression is visited once. `transform::LinearMutator` does the same and more, but te is
 * below transform.
 */
class Lower : public tir::StmtMutator {
 public:
  explicit Lower(const Buffers& buffers) : buffers_(buffers) {}

  void Put(const Var& var, PrimExpr value) {
    values_.emplace(var.get(), std::move(value));
    known_.clear();
  }

  /*! \brief Replace a buffer and the variable of its address. */
  void PutBuffer(const Buffer& buffer, const Buffer& by) {
    Replace(buffer, by);
    Put(buffer->data, by->data);
  }

  PrimExpr VisitPrimExpr(PrimExpr expr) override {
    // An unshared expression has two references: its parent's, and the parameter.
    if (expr.use_count() <= 2) return StmtMutator::VisitPrimExpr(std::move(expr));
    const auto found = known_.find(expr);
    if (found != known_.end()) return found->second;
    PrimExpr result = StmtMutator::VisitPrimExpr(expr);
    known_.emplace(std::move(expr), result);
    return result;
  }

 protected:
  PrimExpr VisitVar(const tir::VarNode* op) override {
    const auto found = values_.find(op);
    return found == values_.end() ? StmtMutator::VisitVar(op) : found->second;
  }

  PrimExpr VisitProducerLoad(const tir::ProducerLoadNode* op) override {
    const auto* tensor = op->producer.as<TensorNode>();
    if (tensor == nullptr) return StmtMutator::VisitProducerLoad(op);
    ffi::Array<PrimExpr> indices;
    for (const PrimExpr& index : op->indices) indices.push_back((*this)(index));
    return tir::BufferLoad(buffers_.at(ResultOf(tensor)), std::move(indices), std::nullopt,
                           op->span);
  }

 private:
  const Buffers& buffers_;
  std::unordered_map<const tir::VarNode*, PrimExpr> values_;
  /*! \brief The results for shared expressions. */
  std::unordered_map<PrimExpr, PrimExpr, ffi::ObjectPtrHash, ffi::ObjectPtrEqual> known_;
};

/*! \brief Makes one function. */
class FunctionMaker {
 public:
  tir::PrimFunc Make(const ffi::Array<ffi::ObjectRef>& args, ffi::String name) {
    for (const ffi::ObjectRef& arg : args) AddArg(arg);
    const std::vector<Operation> operations = Operations();
    for (const Operation& op : operations) CheckOrAllocate(op);
    for (const Operation& op : operations) {
      if (const auto* compute = op.as<ComputeOpNode>()) AddCompute(compute);
      if (const auto* external = op.as<ExternOpNode>()) AddExtern(external);
    }
    ffi::Map<ffi::String, ffi::Any> attrs = {{ir::kGlobalSymbol, std::move(name)},
                                             {tir::kNoAlias, true}};
    return builder_->MakeFunc(ir::DictAttrs(std::move(attrs)));
  }

 private:
  void AddArg(const ffi::ObjectRef& arg) {
    if (const auto* tensor = arg.as<TensorNode>()) {
      const Buffer buffer = tir::decl_buffer(tensor->shape, tensor->dtype, tensor->name);
      if (!buffers_.emplace(ResultOf(tensor), buffer).second) {
        TVM_FFI_THROW(ValueError) << "create_prim_func: `args` has tensor `" << tensor->name
                                  << "` twice";
      }
      builder_->AddBuffer(buffer);
      args_.push_back(ffi::GetRef<Tensor>(tensor));
    } else if (const auto var = arg.as<Var>()) {
      builder_->AddParam(*var);
    } else {
      TVM_FFI_THROW(TypeError) << "create_prim_func: `args` must be tensors and variables, got `"
                               << arg->GetTypeKey() << "`";
    }
  }

  /*! \brief All operations that the arguments need, producers first. */
  std::vector<Operation> Operations() const {
    std::vector<Operation> operations;
    auto add = [&operations](const OperationNode* op) {
      operations.push_back(ffi::GetRef<Operation>(op));
    };
    tschema::Walk(args_, add, tschema::WalkOrder::kPostOrder);
    return operations;
  }

  /*! \brief Allocate buffers for all results but arguments; placeholders must be arguments. */
  void CheckOrAllocate(const Operation& op) {
    const int64_t count = num_outputs(op);
    for (int32_t i = 0; i < count; ++i) {
      if (buffers_.count({op.get(), i}) != 0) continue;
      if (op.as<PlaceholderOpNode>() != nullptr) {
        TVM_FFI_THROW(ValueError) << "create_prim_func: placeholder `" << op->name
                                  << "` is read and must be among `args`";
      }
      const Tensor tensor(op, i);
      const Buffer buffer = tir::decl_buffer(tensor->shape, tensor->dtype, tensor->name);
      buffers_.emplace(ResultOf(tensor.get()), buffer);
      builder_->Emit(tir::AllocBuffer(buffer));
    }
  }

  void AddCompute(const ComputeOpNode* op) {
    Lower lower(buffers_);
    ffi::Array<PrimExpr> indices;
    InLoops(op->axis, 0, &lower, &indices, [&] {
      if (op->body[0].as<tir::ReduceNode>() != nullptr) {
        AddReduction(op, indices, &lower);
      } else {
        for (size_t i = 0; i < op->body.size(); ++i) {
          builder_->Store(buffers_.at({op, static_cast<int32_t>(i)}), indices, lower(op->body[i]),
                          std::nullopt, op->body[i]->span);
        }
      }
    });
  }

  /*! \brief Open a loop for each axis from index `first` on, and run `body` inside them. */
  template <typename Body>
  void InLoops(const ffi::Array<tir::IterVar>& axis, size_t next, Lower* lower,
               ffi::Array<PrimExpr>* indices, Body&& body) {
    std::vector<tir::BuilderScope> scopes;
    for (; next < axis.size(); ++next) {
      const tir::IterVar& iter_var = axis[next];
      const ir::Range range = iter_var->dom.value();
      const Var loop_var(iter_var->var->name, iter_var->var->dtype);
      scopes.push_back(builder_->EnterFor(loop_var, (*lower)(range->min), (*lower)(range->extent)));
      lower->Put(iter_var->var, loop_var);
      indices->push_back(loop_var);
    }
    body();
    for (; !scopes.empty(); scopes.pop_back()) builder_->Leave(scopes.back());
  }

  /*! \brief Store the identity, then combine in loops over the axes of the reduction. */
  void AddReduction(const ComputeOpNode* op, const ffi::Array<PrimExpr>& indices, Lower* lower) {
    const tir::Reduce reduce = op->body[0].as<tir::Reduce>().value();
    const tir::CommReducer& combiner = reduce->combiner;
    const ffi::Array<PrimExpr>& start =
        reduce->init.empty() ? combiner->identity_element : reduce->init;
    for (size_t i = 0; i < op->body.size(); ++i) {
      builder_->Store(buffers_.at({op, static_cast<int32_t>(i)}), indices, (*lower)(start[i]),
                      std::nullopt, reduce->span);
    }
    ffi::Array<PrimExpr> unused;
    InLoops(reduce->axis, 0, lower, &unused, [&] {
      const PrimExpr condition = (*lower)(reduce->condition);
      const auto* constant = condition.as<ir::IntImmNode>();
      auto combine = [&] { Combine(op, reduce, indices, lower); };
      if (constant != nullptr && constant->value != 0) return combine();
      builder_.If(condition, combine);
    });
  }

  void Combine(const ComputeOpNode* op, const tir::Reduce& reduce,
               const ffi::Array<PrimExpr>& indices, Lower* lower) {
    const tir::CommReducer& combiner = reduce->combiner;
    const size_t count = combiner->result.size();
    Lower operands(buffers_);
    for (size_t i = 0; i < count; ++i) {
      const Buffer& buffer = buffers_.at({op, static_cast<int32_t>(i)});
      operands.Put(combiner->lhs[i], tir::BufferLoad(buffer, indices));
      operands.Put(combiner->rhs[i], (*lower)(reduce->source[i]));
    }
    std::vector<PrimExpr> values;
    for (size_t i = 0; i < count; ++i) {
      PrimExpr value = operands(combiner->result[i]);
      if (count > 1) {
        // All results are computed from the old values before any is stored.
        const Var var("value_" + std::to_string(i), value->dtype);
        builder_->Emit(tir::Bind(var, std::move(value), reduce->span));
        value = var;
      }
      values.push_back(std::move(value));
    }
    for (size_t i = 0; i < count; ++i) {
      builder_->Store(buffers_.at({op, static_cast<int32_t>(i)}), indices, values[i], std::nullopt,
                      reduce->span);
    }
  }

  void AddExtern(const ExternOpNode* op) {
    Lower lower(buffers_);
    for (size_t i = 0; i < op->inputs.size(); ++i) {
      lower.PutBuffer(op->input_placeholders[i], buffers_.at(ResultOf(op->inputs[i].get())));
    }
    for (size_t i = 0; i < op->output_placeholders.size(); ++i) {
      lower.PutBuffer(op->output_placeholders[i], buffers_.at({op, static_cast<int32_t>(i)}));
    }
    builder_->Emit(lower(op->body));
  }

  tir::Builder builder_;
  Buffers buffers_;
  ffi::Array<Tensor> args_;
};

}  // namespace

ffi::Array<Tensor> input_tensors(Operation op) {
  ffi::Array<Tensor> inputs;
  std::unordered_set<Result, ResultHash> known;
  auto add = [&](const Tensor& tensor) {
    if (known.insert(ResultOf(tensor.get())).second) inputs.push_back(tensor);
  };
  if (const auto* external = op.as<ExternOpNode>()) {
    for (const Tensor& tensor : external->inputs) add(tensor);
  } else if (const auto* compute = op.as<ComputeOpNode>()) {
    tschema::Walk(compute->body, [&](const TensorNode* tensor) {
      add(ffi::GetRef<Tensor>(tensor));
      return tschema::kSkip;
    });
  }
  return inputs;
}

tir::PrimFunc create_prim_func(ffi::Array<ffi::ObjectRef> args, ffi::String name) {
  return FunctionMaker().Make(args, std::move(name));
}

}  // namespace uir::te
