// Makes host functions from public high-level functions: allocations, and calls in order. One class
// lowers each kind of value, because all of them share the buffers of variables, the places where
// tensors are wanted and the builder.
#include <tschema/map.h>
#include <tschema/stack_guard.h>
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <uir/ir/attrs.h>
#include <uir/ir/diagnostics.h>
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/ir/op.h>
#include <uir/ir/symbol.h>
#include <uir/ir/tensor_type.h>
#include <uir/relay/block.h>
#include <uir/relay/function.h>
#include <uir/tir/builder.h>
#include <uir/tir/call.h>
#include <uir/transform/convert_ssa.h>
#include <uir/transform/entry_passes.h>
#include <uir/transform/pass.h>
#include <uir/transform/with_body.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/bound_sizes.h"
#include "../analysis/in_place.h"
#include "../analysis/views.h"
#include "../rewrite/carried_values.h"
#include "../rewrite/entry_checks.h"
#include "../rewrite/explicit_sizes.h"
#include "../rewrite/in_place_functions.h"
#include "../rewrite/instantiator.h"
#include "../rewrite/tensor_origins.h"

namespace uir::transform {

namespace {

/*! \brief The tensors of a value, several for a tuple. */
using Tensors = std::vector<tir::Buffer>;
/*! \brief The buffers to which tensors should be written; None if any buffer will do. */
using Targets = std::vector<ffi::Optional<tir::Buffer>>;

/*! \brief The calls that overwrite an argument: the indices of the output and of the input. */
using InPlaceCalls = std::unordered_map<const ffi::Object*, std::pair<size_t, size_t>>;

/*! \brief An output whose size the body binds, so that the body allocates it. */
struct LateOutput {
  tir::Buffer buffer;
  /*! \brief The parameter that takes the tensor. */
  tir::Var slot;
  bool is_allocated = false;
};

/*! \brief Lowers one function. */
class EntryLowerer {
 public:
  EntryLowerer(ir::IRModule module, relay::Function func, ExplicitSizes* sizes,
               InPlaceCalls* in_place)
      : module_(std::move(module)), func_(std::move(func)), sizes_(sizes), in_place_(in_place) {}

  tir::PrimFunc Run();

 private:
  void AddParams();
  Targets AddOutputs();
  tir::PrimFunc Assemble(size_t num_outputs) const;

  Tensors LowerBlock(const relay::Block& block, const Targets& targets);
  /*! \brief The buffers to which the tensors of a binding should be written, with their types. */
  Targets TargetsOf(const relay::Binding& binding);
  /*! \brief Emit the statements that compute the value of a binding. */
  Tensors LowerValue(const relay::Binding& binding, const Targets& targets);
  Tensors LowerCall(const relay::Binding& binding, const relay::CallNode* call,
                    const Targets& targets);
  Tensors LowerView(const relay::Binding& binding, const relay::CallNode* view);
  Tensors LowerFunctionCall(const relay::CallNode* call, const Targets& targets);
  void LowerRequire(const relay::RequireAttrsNode* attrs);
  Tensors LowerFirstRows(const relay::Binding& binding, const relay::CallNode* call);
  /*! \brief Allocate the outputs whose sizes are bound from now on. */
  void AllocateOutputs();
  Tensors LowerIf(const relay::Binding& binding, const relay::IfNode* branch,
                  const Targets& targets);
  Tensors LowerWhile(const relay::Binding& binding, const relay::WhileNode* loop,
                     const Targets& targets);
  /*! \brief The buffers to which the tensors of a step should be written. */
  Targets TargetsOfStep(const relay::WhileNode* loop, const Tensors& state,
                        const tir::Buffer& goes_on);
  /*! \brief Whether the function that a call calls may write its result over an operand. */
  bool MayOverwrite(const relay::CallNode* call, size_t operand) const;
  /*! \brief Emit a step: its values become those of the loop's variables. */
  void LowerStep(const relay::WhileNode* loop, const Tensors& state, const tir::Buffer& goes_on);
  /*! \brief The tensors of a value that needs no computation. */
  Tensors TensorsOf(const ir::RelayExpr& value);
  tir::Buffer ConstantBuffer(const relay::ConstantNode* constant);
  /*! \brief A view of a buffer's memory with a type. */
  tir::Buffer View(const tir::Buffer& buffer, const ir::TensorType& type, const ffi::String& name,
                   const ffi::Optional<ir::Span>& span);
  /*! \brief The targets, and a new buffer for each tensor without one. */
  Tensors Allocate(const relay::Binding& binding, const std::vector<ir::TensorType>& types,
                   const Targets& targets);
  void Copy(const tir::Buffer& from, const tir::Buffer& to, ffi::Array<ir::PrimExpr> indices = {});

  ir::IRModule module_;
  relay::Function func_;
  ExplicitSizes* sizes_;
  InPlaceCalls* in_place_;
  tir::Builder builder_;
  /*! \brief The tensors that bind sizes: the inputs, and the results of `first_rows` so far. */
  std::vector<tir::Buffer> inputs_;
  /*! \brief The sizes that the body binds and that are not bound yet. */
  SizeSet unbound_;
  std::vector<LateOutput> late_outputs_;
  std::unordered_map<const ffi::Object*, Tensors> values_;
  /*! \brief The buffers to which the tensors of a binding should be written. */
  std::unordered_map<const ffi::Object*, Targets> wanted_;
  /*! \brief The operands that the calls of bindings overwrite. */
  std::unordered_map<const ffi::Object*, size_t> overwritten_;
  std::unordered_map<const ffi::Object*, tir::Buffer> constant_buffers_;
  ffi::Array<ffi::Any> constants_;
  /*! \brief The declarations of the buffers of constants. */
  ffi::Array<tir::Stmt> declarations_;
  /*! \brief The inlined bodies. */
  std::vector<relay::Block> instances_;
  /*! \brief The functions that are being inlined. */
  std::unordered_set<const ffi::Object*> active_;
};

tir::PrimFunc EntryLowerer::Run() {
  AddParams();
  const Targets outputs = AddOutputs();
  LowerBlock(func_->body, outputs);
  return Assemble(outputs.size());
}

/*! \brief `x` if it is the only one, else `x_0`, `x_1` and so on. */
std::string NumberedName(const ffi::String& name, size_t index, size_t count) {
  return count == 1 ? std::string(name) : std::string(name) + "_" + std::to_string(index);
}

void EntryLowerer::AddParams() {
  for (const relay::Var& param : func_->params) {
    const std::vector<ir::TensorType> types = TensorTypesOf(param);
    Tensors& tensors = values_[param.get()];
    for (size_t i = 0; i < types.size(); ++i) {
      tensors.push_back(tir::decl_buffer(types[i]->shape, types[i]->dtype,
                                         NumberedName(param->name, i, types.size())));
      inputs_.push_back(tensors.back());
      builder_->AddBuffer(tensors.back());
    }
  }
}

Targets EntryLowerer::AddOutputs() {
  if (!func_->ret_type.has_value()) {
    ir::ThrowAt(func_->body->result, "ValueError", "the result has no type; run `InferType` first");
  }
  const std::vector<ir::TensorType> types =
      TensorTypesIn(func_->ret_type.value(), func_->body->result);
  for (const relay::Binding& binding : func_->body->bindings) {
    if (const tir::VarNode* size = BoundSizeOf(binding->value)) unbound_.insert(size);
  }
  Targets outputs;
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string name = NumberedName("output", i, types.size());
    const tir::Buffer output = tir::decl_buffer(types[i]->shape, types[i]->dtype, name);
    if (DependsOn(output->shape, unbound_)) {
      late_outputs_.push_back({output, builder_->AddParam(tir::Var(name, ir::kHandle))});
    } else {
      builder_->AddBuffer(output);
    }
    outputs.push_back(output);
  }
  return outputs;
}

tir::PrimFunc EntryLowerer::Assemble(size_t num_outputs) const {
  ffi::Array<tir::Stmt> stmts;
  for (const tir::Stmt& check : EntryChecks(func_, inputs_)) stmts.push_back(check);
  for (const tir::Stmt& declaration : declarations_) stmts.push_back(declaration);
  stmts.push_back(builder_->Body());
  ffi::Map<ffi::String, ffi::Any> attrs;
  if (func_->attrs.has_value()) attrs = func_->attrs.value()->dict;
  attrs.erase("shape_assumptions");
  attrs.Set("num_outputs", static_cast<int64_t>(num_outputs));
  if (!late_outputs_.empty()) attrs.Set("has_into_entry", false);
  if (!constants_.empty()) attrs.Set("constants", constants_);
  return tir::PrimFunc(builder_->params, tir::flatten_seq(std::move(stmts)), builder_->buffer_map,
                       std::nullopt, ir::DictAttrs(std::move(attrs)), func_->span);
}

Tensors EntryLowerer::LowerBlock(const relay::Block& block, const Targets& targets) {
  const std::vector<TensorOrigin> origins = OriginFinder(block).Find(block->result);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].has_value() || origins[i].var == nullptr) continue;
    Targets& wanted = wanted_[origins[i].var];
    if (wanted.size() <= origins[i].index) wanted.resize(origins[i].index + 1);
    if (!wanted[origins[i].index].has_value()) wanted[origins[i].index] = targets[i];
  }
  for (const relay::Binding& binding : block->bindings) {
    values_[binding->var.get()] = LowerValue(binding, TargetsOf(binding));
  }
  Tensors results = TensorsOf(block->result);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].has_value()) continue;
    const tir::Buffer target = targets[i].value();
    // The elements of a view of the target are in place already.
    if (!results[i]->data.same_as(target->data)) Copy(results[i], target);
    results[i] = target;
  }
  return results;
}

Targets EntryLowerer::TargetsOf(const relay::Binding& binding) {
  const auto wanted = wanted_.find(binding->var.get());
  if (wanted == wanted_.end()) return {};
  Targets targets = wanted->second;
  const std::vector<ir::TensorType> types = TensorTypesOf(binding->var);
  for (size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].has_value()) continue;
    const tir::Buffer target = targets[i].value();
    const bool is_late =
        std::any_of(late_outputs_.begin(), late_outputs_.end(), [&](const LateOutput& output) {
          return !output.is_allocated && output.buffer->data.same_as(target->data);
        });
    if (is_late) {
      targets[i] = std::nullopt;
      continue;
    }
    // The target may be for a view of the tensor.
    if (tschema::StructuralEqual(target->shape, types[i]->shape)) continue;
    const std::string name = NumberedName(binding->var->name, i, types.size());
    targets[i] = View(target, types[i], name, binding->span);
  }
  return targets;
}

Tensors EntryLowerer::LowerValue(const relay::Binding& binding, const Targets& targets) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return LowerValue(binding, targets); });
  }
  if (const auto* call = binding->value.as<relay::CallNode>()) {
    return LowerCall(binding, call, targets);
  }
  if (const auto* branch = binding->value.as<relay::IfNode>()) {
    return LowerIf(binding, branch, targets);
  }
  if (const auto* loop = binding->value.as<relay::WhileNode>()) {
    return LowerWhile(binding, loop, targets);
  }
  return TensorsOf(binding->value);
}

Tensors EntryLowerer::LowerCall(const relay::Binding& binding, const relay::CallNode* call,
                                const Targets& targets) {
  static const ir::Op destination_passing = ir::get_op("relay.call_destination_passing");
  if (call->op.as<ir::GlobalVarNode>() != nullptr) return LowerFunctionCall(call, targets);
  if (const relay::CallNode* view = ViewCallOf(binding->value)) return LowerView(binding, view);
  if (BoundSizeOf(binding->value) != nullptr) return LowerFirstRows(binding, call);
  if (const auto check = call->attrs.as<relay::RequireAttrs>()) {
    LowerRequire(check->get());
    return {};
  }
  if (!call->op.same_as(destination_passing)) {
    const auto op = call->op.as<ir::Op>();
    ir::ThrowAt(call, op ? "ValueError" : "TypeError",
                op ? "`" + std::string((*op)->name) + "` is not lowered; run `LowerOps` first"
                   : "`LowerEntry` does not lower calls of functions that are values");
  }
  Tensors buffers;
  for (size_t i = 1; i < call->args.size(); ++i) {
    const Tensors tensors = TensorsOf(call->args[static_cast<int64_t>(i)]);
    buffers.insert(buffers.end(), tensors.begin(), tensors.end());
  }
  const Tensors outputs = Allocate(binding, TensorTypesOf(binding->value), targets);
  buffers.insert(buffers.end(), outputs.begin(), outputs.end());
  const tir::Stmt stmt = sizes_->Call(call, buffers);
  const auto overwritten = overwritten_.find(binding->var.get());
  if (overwritten != overwritten_.end()) {
    const ir::PrimExpr made = stmt.as<tir::EvaluateNode>()->value;
    in_place_->emplace(made.get(), std::make_pair(buffers.size() - 1, overwritten->second));
  }
  builder_->Emit(stmt);
  return outputs;
}

Tensors EntryLowerer::LowerView(const relay::Binding& binding, const relay::CallNode* view) {
  const tir::Buffer viewed = TensorsOf(view->args[0])[0];
  const ir::TensorType type = TensorTypesOf(binding->value)[0];
  return {View(viewed, type, binding->var->name, binding->span)};
}

Tensors EntryLowerer::LowerFirstRows(const relay::Binding& binding, const relay::CallNode* call) {
  const tir::Buffer rows = TensorsOf(call->args[0])[0];
  const tir::Buffer count = TensorsOf(call->args[1])[0];
  const auto size = ffi::GetRef<tir::Var>(BoundSizeOf(binding->value));
  const ir::PrimExpr found = tir::cast(tir::BufferLoad(count, {}), ir::IntType(64));
  builder_->Emit(CheckOfSize(found, rows, func_));
  builder_->Emit(tir::Bind(size, tir::cast(found, size->dtype), call->span));
  unbound_.erase(size.get());
  AllocateOutputs();
  const ir::TensorType type = TensorTypesOf(binding->value)[0];
  const tir::Buffer first = View(rows, type, binding->var->name, binding->span);
  inputs_.push_back(first);
  return {first};
}

void EntryLowerer::AllocateOutputs() {
  for (LateOutput& output : late_outputs_) {
    const tir::Buffer& buffer = output.buffer;
    if (output.is_allocated || DependsOn(buffer->shape, unbound_)) continue;
    output.is_allocated = true;
    ffi::Array<ir::PrimExpr> args = {output.slot, tir::make_const(0, buffer->dtype)};
    for (const ir::PrimExpr& extent : buffer->shape) args.push_back(extent);
    const ir::PrimExpr data = tir::call_intrin(ir::kHandle, "tir.allocate_output", args);
    builder_->Emit(tir::Bind(buffer->data, data, func_->span));
    builder_->Emit(tir::DeclBuffer(buffer, {}, func_->span));
  }
}

tir::Buffer EntryLowerer::View(const tir::Buffer& buffer, const ir::TensorType& type,
                               const ffi::String& name, const ffi::Optional<ir::Span>& span) {
  const tir::Buffer view = tir::decl_buffer(type->shape, type->dtype, name, buffer->data);
  builder_->Emit(tir::DeclBuffer(view, {}, span));
  return view;
}

Tensors EntryLowerer::LowerFunctionCall(const relay::CallNode* call, const Targets& targets) {
  const auto var = call->op.as<ir::GlobalVar>().value();
  const auto found = module_->functions.find(var);
  const auto func =
      found == module_->functions.end() ? std::nullopt : (*found).second.as<relay::Function>();
  const std::string name = "`" + std::string(var->name_hint) + "`";
  if (!func || (*func)->params.size() != call->args.size()) {
    ir::ThrowAt(call, "TypeError",
                name + " is not a high-level function of " + std::to_string(call->args.size()) +
                    " parameters");
  }
  if (!active_.insert(var.get()).second) {
    ir::ThrowAt(call, "ValueError",
                "`LowerEntry` does not lower recursion: " + name + " calls itself");
  }
  // Variables are identified by their addresses.
  instances_.push_back(Instantiator().Body(*func, call->args));
  Tensors results = LowerBlock(relay::Block(instances_.back()), targets);
  active_.erase(var.get());
  return results;
}

void EntryLowerer::LowerRequire(const relay::RequireAttrsNode* attrs) {
  for (const tir::Stmt& check : ChecksOf(attrs->conditions, func_, inputs_)) builder_->Emit(check);
}

Tensors EntryLowerer::LowerIf(const relay::Binding& binding, const relay::IfNode* branch,
                              const Targets& targets) {
  const Tensors results = Allocate(binding, TensorTypesOf(binding->value), targets);
  const Targets wanted(results.begin(), results.end());
  const Tensors condition = TensorsOf(branch->condition);
  builder_.If(tir::BufferLoad(condition[0], {}), [&] { LowerBlock(branch->true_branch, wanted); });
  builder_.Else([&] { LowerBlock(branch->false_branch, wanted); });
  return results;
}

Tensors EntryLowerer::LowerWhile(const relay::Binding& binding, const relay::WhileNode* loop,
                                 const Targets& targets) {
  const Tensors state = Allocate(binding, TensorTypesOf(binding->value), targets);
  for (size_t i = 0; i < state.size(); ++i) {
    const auto at = static_cast<int64_t>(i);
    Copy(TensorsOf(loop->initial[at])[0], state[i]);
    values_[loop->params[at].get()] = {state[i]};
  }
  const tir::Buffer goes_on = tir::decl_buffer({}, ir::BoolType(), "goes_on");
  builder_->Emit(tir::AllocBuffer(goes_on, {}, binding->span));
  Copy(TensorsOf(loop->condition)[0], goes_on);
  builder_.While(tir::BufferLoad(goes_on, {}), [&] { LowerStep(loop, state, goes_on); });
  return state;
}

bool EntryLowerer::MayOverwrite(const relay::CallNode* call, size_t operand) const {
  const auto callee = call->args[0].as<ir::GlobalVar>();
  const auto found = callee ? module_->functions.find(*callee) : module_->functions.end();
  const auto func =
      found == module_->functions.end() ? std::nullopt : (*found).second.as<tir::PrimFunc>();
  if (!func) return false;
  const InPlace known = FindInPlace(*func);
  return known.output + 1 == (*func)->params.size() &&
         std::count(known.inputs.begin(), known.inputs.end(), operand) != 0;
}

Targets EntryLowerer::TargetsOfStep(const relay::WhileNode* loop, const Tensors& state,
                                    const tir::Buffer& goes_on) {
  std::unordered_map<const ffi::Object*, ir::RelayExpr> values;
  for (const relay::Binding& binding : loop->body->bindings) {
    values.emplace(binding->var.get(), binding->value);
  }
  const std::vector<NextValue> next = FindNextValues(loop);
  Targets targets = {goes_on};
  for (size_t i = 0; i < state.size(); ++i) {
    const bool is_update =
        next[i].operand.has_value() &&
        MayOverwrite(values.at(next[i].var).as<relay::CallNode>(), *next[i].operand);
    if (is_update) overwritten_.emplace(next[i].var, *next[i].operand);
    const bool has_place = is_update || next[i].is_after_uses;
    targets.push_back(has_place ? ffi::Optional<tir::Buffer>(state[i]) : std::nullopt);
  }
  return targets;
}

void EntryLowerer::LowerStep(const relay::WhileNode* loop, const Tensors& state,
                             const tir::Buffer& goes_on) {
  Tensors next = LowerBlock(loop->body, TargetsOfStep(loop, state, goes_on));
  const auto is_state = [&](const tir::Buffer& tensor) {
    return std::any_of(state.begin(), state.end(),
                       [&](const tir::Buffer& one) { return one->data.same_as(tensor->data); });
  };
  // A variable may be the next value of another one, which is written first.
  for (size_t i = 0; i < state.size(); ++i) {
    tir::Buffer& value = next[i + 1];
    if (value->data.same_as(state[i]->data) || !is_state(value)) continue;
    const tir::Buffer copy = tir::decl_buffer(value->shape, value->dtype, value->name);
    builder_->Emit(tir::AllocBuffer(copy));
    Copy(value, copy);
    value = copy;
  }
  for (size_t i = 0; i < state.size(); ++i) {
    if (!next[i + 1]->data.same_as(state[i]->data)) Copy(next[i + 1], state[i]);
  }
}

Tensors EntryLowerer::TensorsOf(const ir::RelayExpr& value) {
  if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { return TensorsOf(value); });
  if (value.as<relay::VarNode>() != nullptr) {
    const auto found = values_.find(value.get());
    if (found == values_.end()) ir::ThrowAt(value, "ValueError", "the variable is not bound");
    return found->second;
  }
  if (const auto* constant = value.as<relay::ConstantNode>()) return {ConstantBuffer(constant)};
  Tensors tensors;
  if (const auto* tuple = value.as<relay::TupleNode>()) {
    for (const ir::RelayExpr& field : tuple->fields) {
      for (const tir::Buffer& tensor : TensorsOf(field)) tensors.push_back(tensor);
    }
    return tensors;
  }
  if (const auto* item = value.as<relay::TupleGetItemNode>()) {
    const auto [first, count] = PlaceOfItem(item);
    const Tensors all = TensorsOf(item->tuple_value);
    const auto begin = all.begin() + static_cast<int64_t>(first);
    return {begin, begin + static_cast<int64_t>(count)};
  }
  const bool is_nested =
      value.as<relay::CallNode>() || value.as<relay::IfNode>() || value.as<relay::WhileNode>();
  ir::ThrowAt(value, is_nested ? "ValueError" : "TypeError",
              is_nested ? "a value is nested in another one; run `ToANormalForm` first"
                        : "`LowerEntry` does not lower a `" + value->GetTypeKey() + "`");
}

tir::Buffer EntryLowerer::ConstantBuffer(const relay::ConstantNode* constant) {
  const auto known = constant_buffers_.find(constant);
  if (known != constant_buffers_.end()) return known->second;
  const auto index = static_cast<int64_t>(constants_.size());
  const ir::TensorType type = TensorTypesOf(ffi::GetRef<ir::RelayExpr>(constant))[0];
  const tir::Buffer buffer =
      tir::decl_buffer(type->shape, type->dtype, "constant_" + std::to_string(index));
  constants_.push_back(constant->data);
  declarations_.push_back(tir::Bind(buffer->data, tir::constant_data(index), constant->span));
  declarations_.push_back(tir::DeclBuffer(buffer, {}, constant->span));
  return constant_buffers_.emplace(constant, buffer).first->second;
}

Tensors EntryLowerer::Allocate(const relay::Binding& binding,
                               const std::vector<ir::TensorType>& types, const Targets& targets) {
  Tensors tensors;
  for (size_t i = 0; i < types.size(); ++i) {
    if (i < targets.size() && targets[i].has_value()) {
      tensors.push_back(targets[i].value());
      continue;
    }
    tensors.push_back(tir::decl_buffer(types[i]->shape, types[i]->dtype,
                                       NumberedName(binding->var->name, i, types.size())));
    builder_->Emit(tir::AllocBuffer(tensors.back(), {}, binding->span));
  }
  return tensors;
}

void EntryLowerer::Copy(const tir::Buffer& from, const tir::Buffer& to,
                        ffi::Array<ir::PrimExpr> indices) {
  const size_t axis = indices.size();
  if (axis == to->shape.size()) {
    builder_->Store(to, indices, tir::BufferLoad(from, indices));
    return;
  }
  builder_.For("i" + std::to_string(axis), to->shape[static_cast<int64_t>(axis)],
               [&](const tir::Var& index) {
                 indices.push_back(index);
                 Copy(from, to, indices);
               });
}

/*! \brief Call copies of functions that overwrite an argument. */
ir::IRModule WithInPlaceCalls(const ir::IRModule& module, const InPlaceCalls& calls) {
  InPlaceFunctions made(module);
  const auto replace = [&](const tir::CallNode* call) -> ffi::Optional<ir::PrimExpr> {
    const auto found = calls.find(call);
    if (found == calls.end()) return std::nullopt;
    return made.Call(ffi::GetRef<tir::Call>(call), found->second);
  };
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions = module->functions;
  for (const auto& [var, func] : module->functions) {
    const auto entry = func.as<tir::PrimFunc>();
    if (!entry || (*entry)->GetAttr("num_outputs") == nullptr) continue;
    functions.Set(var, WithBody(*entry, tschema::Map((*entry)->body, replace)));
  }
  return ir::IRModule(made.AddTo(std::move(functions)), module->attrs);
}

ir::IRModule LowerEntries(const ir::IRModule& module) {
  ExplicitSizes sizes(module);
  InPlaceCalls in_place;
  std::vector<std::pair<ir::GlobalVar, tir::PrimFunc>> entries;
  for (const auto& [var, func] : module->functions) {
    const auto relay_func = func.as<relay::Function>();
    if (!relay_func || !ir::IsPublic(func.get())) continue;
    entries.emplace_back(var, EntryLowerer(module, *relay_func, &sizes, &in_place).Run());
  }
  if (entries.empty()) return module;
  ffi::Map<ir::GlobalVar, ir::BaseFunc> functions;
  for (const auto& [var, func] : module->functions) {
    if (func.as<relay::FunctionNode>() == nullptr) functions.Set(var, func);
  }
  for (const auto& [var, func] : entries) functions.Set(var, func);
  for (const auto& [var, func] : sizes.functions()) functions.Set(var, func);
  ir::IRModule lowered(std::move(functions), module->attrs);
  if (!in_place.empty()) lowered = WithInPlaceCalls(lowered, in_place);
  // A copied function binds the same variables as the original.
  const bool has_copies = sizes.has_copies() || !in_place.empty();
  return has_copies ? ConvertSSA(std::move(lowered)) : lowered;
}

}  // namespace

Pass LowerEntry() {
  auto run = [](const ir::IRModule& module, const PassContext&) { return LowerEntries(module); };
  return MakeModulePass(run, 0, "LowerEntry", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
