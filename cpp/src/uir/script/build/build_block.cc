// `with` statements, and the statements that describe a block or a function.
#include <uir/arith/access_region.h>
#include <uir/ir/dtype.h>
#include <uir/ir/expr.h>
#include <uir/ir/range.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/block.h>

#include <string>

#include "../print/print_parts.h"
#include "./builder_state.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

// With.

tir::Stmt WithSeq(Builder* builder, const SyntaxNode* node) {
  const CallArguments arguments(builder, (*node)[0], {});
  const tir::Stmt body = builder->Suite((*node)[1]);
  if (body.as<tir::SeqStmtNode>() != nullptr) return body;
  return tir::SeqStmt({body});
}

tir::Stmt WithInit(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = (*node)[0];
  const CallArguments arguments(builder, call, {});
  BlockFrame* block = builder->state().block;
  if (block == nullptr) builder->Fail(call, "`tir.init` belongs into a block");
  const tir::Stmt init = builder->Suite((*node)[1]);
  block->init = init;
  return init;
}

tir::Block BlockWith(const BlockFrame& frame, const ffi::String& name, const tir::Stmt& body,
                     const ffi::Array<tir::BufferRegion>& reads,
                     const ffi::Array<tir::BufferRegion>& writes) {
  return tir::Block(frame.iter_vars, reads, writes, name, body, frame.alloc_buffers,
                    frame.match_buffers, frame.annotations, frame.init);
}

tir::Stmt Realized(const BlockFrame& frame, const tir::Block& block) {
  if (!frame.is_realized) return block;
  const PrimExpr always = ir::IntImm(ir::BoolType(), 1);
  return tir::BlockRealize(frame.iter_values, frame.predicate.value_or(always), block);
}

/*! \brief A block whose regions are those of its accesses where the text states none. */
tir::Stmt BuildBlock(Builder* builder, const SyntaxNode* call, const BlockFrame& frame,
                     const ffi::String& name, const tir::Stmt& body) {
  const ffi::Array<tir::BufferRegion> none;
  const auto stated = builder->Spanned(
      BlockWith(frame, name, body, frame.reads.value_or(none), frame.writes.value_or(none)), call);
  const bool is_stated = frame.reads.has_value() && frame.writes.has_value();
  // After an error the block may be incomplete.
  if (is_stated || !builder->state().log->empty()) return Realized(frame, stated);
  const auto regions = arith::detect_access_regions(stated, builder->state().buffers);
  const auto block = builder->Spanned(BlockWith(frame, name, body, frame.reads.value_or(regions[0]),
                                                frame.writes.value_or(regions[1])),
                                      call);
  const tir::Stmt stmt = Realized(frame, block);
  FunctionFrame* function = builder->state().function;
  const bool is_outer = function != nullptr && builder->state().block == nullptr;
  if (is_outer && frame.is_realized && frame.iter_vars.empty()) {
    function->outer_block = stmt;
    function->stated_block = builder->Spanned(Realized(frame, stated), call);
  }
  return stmt;
}

tir::Stmt WithBlock(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = (*node)[0];
  const CallArguments arguments(builder, call, {"name|name_hint", "realize", "no_realize"});
  BlockFrame frame;
  const SyntaxNode* name_node = arguments["name"];
  const ffi::String name = name_node == nullptr ? ffi::String("") : builder->String(name_node);
  const SyntaxNode* realize = arguments["realize"];
  const SyntaxNode* no_realize = arguments["no_realize"];
  frame.is_realized = (realize == nullptr || builder->Bool(realize)) &&
                      (no_realize == nullptr || !builder->Bool(no_realize));
  const tir::Stmt body = [&] {
    const Enter<BlockFrame> enter(&builder->state().block, &frame);
    return builder->Suite((*node)[1]);
  }();
  if (FunctionFrame* function = builder->state().function) function->has_blocks = true;
  return builder->At(call, [&] { return BuildBlock(builder, call, frame, name, body); });
}

// What describes a block.

template <std::optional<ffi::Array<tir::BufferRegion>> BlockFrame::* kRegions>
MaybeStmt ReadRegions(Builder* builder, const SyntaxNode* call) {
  BlockFrame* block = BlockOf(builder, call);
  std::optional<ffi::Array<tir::BufferRegion>>& stated = block->*kRegions;
  if (!stated.has_value()) stated.emplace();
  const bool is_list =
      call->size == 2 && ((*call)[1]->kind == Syntax::kList || (*call)[1]->kind == Syntax::kTuple);
  const SyntaxNode* regions = is_list ? (*call)[1] : call;
  for (uint32_t i = is_list ? 0 : 1; i < regions->size; ++i) {
    stated->push_back(builder->Region((*regions)[i]));
  }
  return std::nullopt;
}

MaybeStmt ReadWhere(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"predicate"});
  const SyntaxNode* node = arguments.Required("predicate");
  BlockOf(builder, call)->predicate = BuildCondition(builder, node, builder->Operand(node));
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
  const SyntaxNode* value = arguments.Required("value");
  if (value->kind == Syntax::kCall) {
    const std::string_view path = builder->Path((*value)[0]);
    const bool is_jump = path == "tir.break_loop" || path == "tir.continue_loop";
    if (is_jump) return FindStmtForm(path)(builder, value);
  }
  return tir::Evaluate(builder->Expr(value));
}

/*! \brief Add a buffer to the block, or outside of blocks to the root block of the function. */
void AddBlockBuffer(Builder* builder, const SyntaxNode* call, const tir::Buffer& buffer) {
  const BuilderState& state = builder->state();
  const bool is_root = state.block == nullptr && state.function != nullptr;
  (is_root ? state.function->root_buffers : BlockOf(builder, call)->alloc_buffers)
      .push_back(buffer);
}

/*! \brief `tir.block_alloc_buffer(A)` of a buffer that is declared. */
MaybeStmt ReadBlockBuffer(Builder* builder, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"buffer"});
  AddBlockBuffer(builder, call, builder->Buffer(arguments.Required("buffer")));
  return std::nullopt;
}

/*! \brief Remember where the first element of a region is. */
void NoteOffset(Builder* builder, const tir::Buffer& buffer, const tir::BufferRegion& region) {
  BuilderState& state = builder->state();
  const tir::Buffer& source = region->buffer;
  const auto outer = state.region_offsets.find(source.get());
  PrimExpr offset = outer != state.region_offsets.end()
                        ? outer->second
                        : source->elem_offset.value_or(MakeInt(0, ir::IntType(32)));
  const ffi::Array<PrimExpr> strides = StridesOf(source);
  for (size_t i = 0; i < strides.size(); ++i) {
    offset = tir::add(offset, tir::mul(region->region[i]->min, strides[i]));
  }
  state.region_offsets.insert_or_assign(buffer.get(), offset);
}

void AddMatch(Builder* builder, const SyntaxNode* call, const SyntaxNode* source,
              const tir::Buffer& buffer, bool says_offset) {
  if (source->kind == Syntax::kSubscript) {
    const tir::BufferRegion region = builder->Region(source);
    const tir::MatchBufferRegion match =
        builder->At(call, [&] { return tir::MatchBufferRegion(buffer, region); });
    BlockOf(builder, call)->match_buffers.push_back(match);
    if (!says_offset) NoteOffset(builder, buffer, region);
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
  const SyntaxNode* source = arguments.Required("source");
  AddMatch(builder, call, source, builder->Buffer(arguments.Required("buffer")), true);
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

/*! \brief `A = tir.Buffer(...)`; in a function one of an address is a `tir.decl_buffer`. */
MaybeStmt AssignDeclared(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({}));
  const tir::Buffer buffer = NewBuffer(builder, name, arguments);
  builder->Declare(name, buffer);
  const bool is_local = builder->state().function != nullptr && arguments["data"] != nullptr;
  return is_local ? MaybeStmt(tir::DeclBuffer(buffer)) : std::nullopt;
}

/*! \brief Whether an expression outside of a function is one of relay, by its first operand. */
bool IsRelay(Builder* builder, const SyntaxNode* node) {
  while (node->kind != Syntax::kName && node->kind != Syntax::kCall) {
    const bool has_operands = node->kind == Syntax::kBinary || node->kind == Syntax::kUnary ||
                              node->kind == Syntax::kSubscript || node->kind == Syntax::kTuple;
    if (!has_operands || node->size == 0 || IsMetadata(node)) return false;
    const Syntax first = (*node)[0]->kind;
    const bool is_number = first == Syntax::kInt || first == Syntax::kFloat;
    if (is_number && node->size < 2) return false;
    node = (*node)[is_number ? 1 : 0];
  }
  if (node->kind == Syntax::kCall) return builder->Path((*node)[0]).rfind("relay.", 0) == 0;
  return builder->Value(node).as<ir::RelayExpr>().has_value();
}

/*! \brief `name = ir.shared(value)`: a node with several users. */
MaybeStmt AssignShared(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, {"value"});
  const SyntaxNode* value = arguments.Required("value");
  const bool is_operation = value->kind != Syntax::kCall && IsRelay(builder, value);
  builder->Declare(name, is_operation ? ReadRelay(builder, value) : builder->Value(value));
  return std::nullopt;
}

MaybeStmt AssignBlockBuffer(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({}));
  const tir::Buffer buffer = NewBuffer(builder, name, arguments);
  AddBlockBuffer(builder, call, buffer);
  builder->Define(name, buffer);
  return std::nullopt;
}

MaybeStmt AssignMatch(Builder* builder, const SyntaxNode* name, const SyntaxNode* call) {
  const CallArguments arguments(builder, call, BufferArguments({"source|param"}));
  const SyntaxNode* source = arguments.Required("source");
  const bool is_region = source->kind == Syntax::kSubscript;
  const tir::Buffer buffer =
      is_region ? BuildBuffer(builder, arguments, name->text, builder->Region(source))
                : NewBuffer(builder, name, arguments);
  AddMatch(builder, call, source, buffer, arguments["elem_offset"] != nullptr);
  builder->Define(name, buffer);
  return std::nullopt;
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterStmt("tir.evaluate", &ReadEvaluate);
  RegisterStmt("tir.func_attr", &ReadFuncAttr);
  RegisterStmt("tir.match_buffer", &ReadMatch);
  RegisterStmt("tir.reads", &ReadRegions<&BlockFrame::reads>);
  RegisterStmt("tir.writes", &ReadRegions<&BlockFrame::writes>);
  RegisterStmt("tir.where", &ReadWhere);
  RegisterStmt("tir.block_attr", &ReadBlockAttr);
  RegisterStmt("tir.block_alloc_buffer", &ReadBlockBuffer);
  RegisterWith("tir.seq", &WithSeq);
  RegisterWith("tir.init", &WithInit);
  RegisterWith("tir.block", &WithBlock);
  RegisterAssign("ir.shared", &AssignShared);
  RegisterAssign("tir.alloc_buffer", &AssignBuffer<tir::AllocBuffer>);
  RegisterAssign("tir.decl_buffer", &AssignBuffer<tir::DeclBuffer>);
  RegisterAssign("tir.Buffer", &AssignDeclared);
  RegisterAssign("tir.block_alloc_buffer", &AssignBlockBuffer);
  RegisterAssign("tir.match_buffer", &AssignMatch);
  // TVM's names of the same.
  RegisterAssign("tir.buffer_decl", &AssignDeclared);
  RegisterStmt("tir.sblock_attr", &ReadBlockAttr);
  RegisterStmt("tir.sblock_alloc_buffer", &ReadBlockBuffer);
  RegisterWith("tir.sblock", &WithBlock);
  RegisterAssign("tir.sblock_alloc_buffer", &AssignBlockBuffer);
}

}  // namespace

BlockFrame* BlockOf(Builder* builder, const SyntaxNode* call) {
  BlockFrame* block = builder->state().block;
  if (block == nullptr) builder->Fail(call, "this belongs into a block: `with tir.block(...)`");
  return block;
}

}  // namespace uir::script
