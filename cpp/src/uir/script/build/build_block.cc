// `with` statements, and the statements that describe a block or a function.
#include <uir/ir/dtype.h>
#include <uir/ir/range.h>
#include <uir/tir/block.h>

#include <algorithm>
#include <string>

#include "../print/print_parts.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

// With.

tir::Stmt WithAttr(Builder* builder, const SyntaxNode* call, const SyntaxNode* suite) {
  const CallArguments arguments(builder, call, {"node", "key", "value"});
  const ffi::Any node = builder->Value(arguments.Required("node"));
  const ffi::String key = builder->String(arguments.Required("key"));
  const PrimExpr value = builder->Expr(arguments.Required("value"));
  const tir::Stmt body = builder->Suite(suite);
  return builder->At(call, [&] { return tir::AttrStmt(node, key, value, body); });
}

tir::Stmt WithSeq(Builder* builder, const SyntaxNode* call, const SyntaxNode* suite) {
  const CallArguments arguments(builder, call, {});
  const tir::Stmt body = builder->Suite(suite);
  if (body.as<tir::SeqStmtNode>() != nullptr) return body;
  return tir::SeqStmt({body});
}

tir::Stmt WithInit(Builder* builder, const SyntaxNode* call, const SyntaxNode* suite) {
  const CallArguments arguments(builder, call, {});
  BlockFrame* block = builder->state().block;
  if (block == nullptr) builder->Fail(call, "`tir.init` belongs into a block");
  const tir::Stmt init = builder->Suite(suite);
  block->init = init;
  return init;
}

tir::Stmt WithBlock(Builder* builder, const SyntaxNode* call, const SyntaxNode* suite) {
  const CallArguments arguments(builder, call, {"name", "realize"});
  BlockFrame frame;
  const SyntaxNode* name_node = arguments["name"];
  const ffi::String name = name_node == nullptr ? ffi::String("") : builder->String(name_node);
  const SyntaxNode* realize = arguments["realize"];
  frame.is_realized = realize == nullptr || builder->Bool(realize);
  tir::Stmt body = [&] {
    const Enter<BlockFrame> enter(&builder->state().block, &frame);
    return builder->Suite(suite);
  }();
  return builder->At(call, [&]() -> tir::Stmt {
    const tir::Block block = builder->Spanned(
        tir::Block(frame.iter_vars, frame.reads, frame.writes, name, body, frame.alloc_buffers,
                   frame.match_buffers, frame.annotations, frame.init),
        call);
    if (!frame.is_realized) return block;
    const PrimExpr predicate =
        frame.predicate.has_value() ? frame.predicate.value() : ir::IntImm(ir::BoolType(), 1);
    return tir::BlockRealize(frame.iter_values, predicate, block);
  });
}

// What describes a block.

BlockFrame* BlockOf(Builder* builder, const SyntaxNode* call) {
  BlockFrame* block = builder->state().block;
  if (block == nullptr) builder->Fail(call, "this belongs into a block: `with tir.block(...)`");
  return block;
}

template <ffi::Array<tir::BufferRegion> BlockFrame::* kRegions>
MaybeStmt ReadRegions(Builder* builder, const SyntaxNode* call) {
  BlockFrame* block = BlockOf(builder, call);
  for (uint32_t i = 1; i < call->size; ++i) {
    (block->*kRegions).push_back(builder->Region((*call)[i]));
  }
  return std::nullopt;
}

MaybeStmt ReadWhere(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"predicate"});
  BlockOf(builder, call)->predicate = builder->Expr(arguments.Required("predicate"));
  return std::nullopt;
}

MaybeStmt ReadBlockAttr(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"attrs"});
  BlockOf(builder, call)->annotations = builder->Attrs(arguments.Required("attrs"));
  return std::nullopt;
}

MaybeStmt ReadFuncAttr(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"attrs"});
  FunctionFrame* function = builder->state().function;
  if (function == nullptr) builder->Fail(call, "`tir.func_attr` belongs into a function");
  for (const auto& [name, value] : builder->Attrs(arguments.Required("attrs"))) {
    function->attrs.Set(name, value);
  }
  return std::nullopt;
}

MaybeStmt ReadEvaluate(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value"});
  return tir::Evaluate(builder->Expr(arguments.Required("value")));
}

/*! \brief `tir.block_alloc_buffer(A)` of a buffer that is declared. */
MaybeStmt ReadBlockBuffer(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"buffer"});
  BlockOf(builder, call)->alloc_buffers.push_back(builder->Buffer(arguments.Required("buffer")));
  return std::nullopt;
}

void AddMatch(Builder* builder, const SyntaxNode* call, const tir::Buffer& buffer) {
  const SyntaxNode* source = (*call)[1];
  if (source->kind == Syntax::kSubscript) {
    const tir::BufferRegion region = builder->Region(source);
    const tir::MatchBufferRegion match =
        builder->At(call, [&] { return tir::MatchBufferRegion(buffer, region); });
    BlockOf(builder, call)->match_buffers.push_back(match);
    return;
  }
  const PrimExpr handle = builder->Expr(source);
  const std::optional<tir::Var> var = handle.as<tir::Var>();
  FunctionFrame* function = builder->state().function;
  if (!var || function == nullptr) builder->Fail(source, "expected a parameter of the function");
  function->buffer_map.Set(*var, buffer);
}

MaybeStmt ReadMatch(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"source", "buffer"});
  arguments.Required("source");
  AddMatch(builder, call, builder->Buffer(arguments.Required("buffer")));
  return std::nullopt;
}

// What binds a name.

tir::Buffer NewBuffer(Builder* builder, const SyntaxNode* name, const CallArguments& arguments) {
  return BuildBuffer(builder, arguments, name->text);
}

template <typename Node>
MaybeStmt AssignBuffer(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({}));
  const tir::Buffer buffer = NewBuffer(builder, name, arguments);
  ffi::Map<ffi::String, ffi::Any> annotations;
  if (arguments["annotations"] != nullptr) annotations = builder->Attrs(arguments["annotations"]);
  builder->Define(name, buffer);
  return Node(buffer, annotations);
}

MaybeStmt AssignDeclared(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({}));
  builder->Declare(name, NewBuffer(builder, name, arguments));
  return std::nullopt;
}

/*! \brief `name = ir.shared(value)`: a node with several users. */
MaybeStmt AssignShared(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value"});
  builder->Declare(name, builder->Value(arguments.Required("value")));
  return std::nullopt;
}

MaybeStmt AssignBlockBuffer(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({}));
  const tir::Buffer buffer = NewBuffer(builder, name, arguments);
  BlockOf(builder, call)->alloc_buffers.push_back(buffer);
  builder->Define(name, buffer);
  return std::nullopt;
}

MaybeStmt AssignMatch(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({"source"}));
  arguments.Required("source");
  const tir::Buffer buffer = NewBuffer(builder, name, arguments);
  AddMatch(builder, call, buffer);
  builder->Define(name, buffer);
  return std::nullopt;
}

ffi::Optional<ir::Range> ReadDomain(Builder* builder, const SyntaxNode* node) {
  if (node->kind == Syntax::kTuple && node->size == 2) {
    const auto [min, end] = builder->Pair((*node)[0], (*node)[1]);
    return builder->At(
        node, [&, &min = min, &end = end] { return ir::Range(min, builder->Extent(min, end)); });
  }
  const ffi::Any value = builder->Value(node);
  if (value == nullptr) return std::nullopt;
  if (std::optional<ir::Range> range = value.as<ir::Range>()) return *range;
  const PrimExpr extent = builder->ToExpr(value, node);
  return builder->At(node, [&] { return ir::Range(MakeInt(0, extent->dtype), extent); });
}

template <tir::IterVarType kType>
MaybeStmt AssignAxis(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  BlockFrame* block = BlockOf(builder, call);
  const CallArguments arguments(builder, call, {"domain", "value", "tag"});
  const ffi::Optional<ir::Range> domain = ReadDomain(builder, arguments.Required("domain"));
  const bool has_domain = domain.has_value();
  DLDataType dtype = has_domain ? domain.value()->min->dtype : ir::IntType(32);
  if (block->is_realized) {
    const SyntaxNode* node = arguments.Required("value");
    const PrimExpr value = builder->Expr(node, has_domain ? dtype : kNoType);
    if (!has_domain) dtype = value->dtype;
    block->iter_values.push_back(value);
  }
  ffi::String tag;
  if (arguments["tag"] != nullptr) tag = builder->String(arguments["tag"]);
  const tir::Var var = builder->BindVar(name, dtype);
  block->iter_vars.push_back(
      builder->At(call, [&] { return tir::IterVar(var, domain, kType, tag); }));
  return std::nullopt;
}

// The tables.

template <typename Form>
struct Entry {
  std::string_view path;
  Form form;
};

constexpr Entry<StmtForm> kStmtForms[] = {
    {"tir.evaluate", &ReadEvaluate},
    {"tir.func_attr", &ReadFuncAttr},
    {"tir.match_buffer", &ReadMatch},
    {"tir.reads", &ReadRegions<&BlockFrame::reads>},
    {"tir.writes", &ReadRegions<&BlockFrame::writes>},
    {"tir.where", &ReadWhere},
    {"tir.block_attr", &ReadBlockAttr},
    {"tir.block_alloc_buffer", &ReadBlockBuffer},
};

constexpr Entry<WithForm> kWithForms[] = {
    {"tir.attr", &WithAttr},
    {"tir.seq", &WithSeq},
    {"tir.init", &WithInit},
    {"tir.block", &WithBlock},
};

constexpr Entry<AssignForm> kAssignForms[] = {
    {"ir.shared", &AssignShared},
    {"tir.alloc_buffer", &AssignBuffer<tir::AllocBuffer>},
    {"tir.decl_buffer", &AssignBuffer<tir::DeclBuffer>},
    {"tir.Buffer", &AssignDeclared},
    {"tir.block_alloc_buffer", &AssignBlockBuffer},
    {"tir.match_buffer", &AssignMatch},
    {"tir.axis.spatial", &AssignAxis<tir::IterVarType::kDataPar>},
    {"tir.axis.reduce", &AssignAxis<tir::IterVarType::kCommReduce>},
    {"tir.axis.scan", &AssignAxis<tir::IterVarType::kOrdered>},
    {"tir.axis.opaque", &AssignAxis<tir::IterVarType::kOpaque>},
    {"tir.axis.thread_index", &AssignAxis<tir::IterVarType::kThreadIndex>},
    {"tir.axis.unrolled", &AssignAxis<tir::IterVarType::kUnrolled>},
    {"tir.axis.vectorized", &AssignAxis<tir::IterVarType::kVectorized>},
    {"tir.axis.parallelized", &AssignAxis<tir::IterVarType::kParallelized>},
    {"tir.axis.tensorized", &AssignAxis<tir::IterVarType::kTensorized>},
};

template <typename Form, size_t kSize>
Form FindIn(const Entry<Form> (&entries)[kSize], std::string_view path) {
  for (const Entry<Form>& entry : entries) {
    if (entry.path == path) return entry.form;
  }
  return nullptr;
}

}  // namespace

StmtForm FindStmtForm(std::string_view path) { return FindIn(kStmtForms, path); }

WithForm FindWithForm(std::string_view path) { return FindIn(kWithForms, path); }

AssignForm FindAssignForm(std::string_view path) { return FindIn(kAssignForms, path); }

void ListStmtForms(std::vector<std::string>* names) {
  for (const auto& entry : kStmtForms) names->emplace_back(entry.path);
  for (const auto& entry : kWithForms) names->emplace_back(entry.path);
  for (const auto& entry : kAssignForms) names->emplace_back(entry.path);
  for (const char* name : {"range", "tir.serial", "tir.parallel", "tir.vectorized", "tir.unroll",
                           "tir.thread_binding", "tir.prim_func", "uir.script.ir_module"}) {
    names->emplace_back(name);
  }
}

}  // namespace uir::script
