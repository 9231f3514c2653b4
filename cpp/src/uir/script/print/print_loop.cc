// Loops, blocks and their axes, and reductions.
#include <tschema/walk.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/script/forms.h>
#include <uir/tir/block.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt.h>

#include <algorithm>
#include <iterator>

#include "./print_parts.h"
#include "./printer_state.h"

namespace uir::script {

namespace {

constexpr std::string_view kIterTypes[] = {"spatial",    "thread_index", "reduce",
                                           "scan",       "opaque",       "unrolled",
                                           "vectorized", "parallelized", "tensorized"};
constexpr std::string_view kLoops[] = {"tir.serial", "tir.parallel", "tir.vectorized", "tir.unroll",
                                       "tir.thread_binding"};

template <typename Enum, size_t kSize>
std::optional<Enum> Find(const std::string_view (&names)[kSize], std::string_view name) {
  const auto* found = std::find(std::begin(names), std::end(names), name);
  if (found == std::end(names)) return std::nullopt;
  return static_cast<Enum>(found - std::begin(names));
}

/*! \brief Whether the parser makes the same axis from just its tag. */
bool IsPlainThread(Printer* printer, const tir::IterVarNode* axis, const tir::VarNode* loop_var) {
  return !axis->dom.has_value() && axis->iter_type == tir::IterVarType::kThreadIndex &&
         axis->var->dtype == loop_var->dtype && printer->Hide(axis->var.get());
}

void PrintThread(Printer* printer, const tir::ForNode* loop) {
  if (!loop->thread_binding.has_value()) return;
  const tir::IterVar axis = loop->thread_binding.value();
  printer->Write(", thread=");
  IsPlainThread(printer, axis.get(), loop->loop_var.get()) ? printer->PrintValue(axis->thread_tag)
                                                           : printer->PrintValue(axis);
}

void PrintFor(Printer* printer, const ffi::Object* stmt) {
  const auto* loop = static_cast<const tir::ForNode*>(stmt);
  printer->BeginLine();
  printer->Write("for ");
  const size_t place = printer->text().size();
  printer->Write(" in ");
  const bool is_plain = loop->kind == tir::ForKind::kSerial && loop->annotations.empty();
  printer->Print(is_plain ? "range" : kLoops[static_cast<int>(loop->kind)], "(");
  if (!IsZero(loop->min) || loop->step.has_value()) printer->Print(loop->min, ", ");
  PrintEnd(printer, loop->min, loop->extent);
  if (loop->step.has_value()) printer->Print(", ", loop->step.value());
  PrintThread(printer, loop);
  if (!loop->annotations.empty()) printer->Print(", annotations=", loop->annotations);
  printer->Write("):\n");
  const Printer::Scope scope(printer);
  printer->Insert(place, printer->BindVar(loop->loop_var.get()), loop->loop_var.get());
  printer->PrintSuite(loop->body.get());
}

// Blocks.

void PrintDomain(Printer* printer, const ffi::Optional<ir::Range>& domain) {
  if (!domain.has_value()) return printer->Write("None");
  if (IsZero(domain.value()->min)) return printer->PrintExpr(domain.value()->extent.get());
  printer->PrintValue(domain.value());
}

void PrintAxis(Printer* printer, const tir::IterVarNode* axis, const ir::PrimExprNode* value) {
  printer->BeginLine();
  const size_t place = printer->text().size();
  printer->Print(" = tir.axis.", IterTypeName(axis->iter_type), "(");
  PrintDomain(printer, axis->dom);
  if (value != nullptr) {
    printer->Write(", ");
    printer->PrintExpr(value);
  }
  if (!axis->thread_tag.empty()) printer->Print(", tag=", axis->thread_tag);
  printer->Write(")\n");
  const DLDataType dtype = axis->dom.has_value() ? axis->dom.value()->min->dtype
                           : value != nullptr    ? value->dtype
                                                 : ir::IntType(32);
  if (axis->var->dtype != dtype) printer->Declare(axis->var.get());
  printer->Insert(place, printer->BindVar(axis->var.get()), axis->var.get());
}

void PrintRegions(Printer* printer, std::string_view form,
                  const ffi::Array<tir::BufferRegion>& regions) {
  printer->BeginLine();
  printer->Write(form);
  std::string_view separator;
  for (const tir::BufferRegion& region : regions) {
    printer->Write(separator);
    PrintRegion(printer, region.get());
    separator = ", ";
  }
  printer->Write(")\n");
}

void PrintBlockBuffer(Printer* printer, const tir::Buffer& buffer) {
  const bool is_known = printer->IsKnown(buffer.get());
  const std::string name = printer->Bind(buffer.get(), buffer->name);
  if (is_known) return printer->PrintLine("tir.block_alloc_buffer(", name, ")");
  printer->BeginLine();
  printer->Print(name, " = tir.block_alloc_buffer(");
  PrintBufferArguments(printer, buffer.get(), name);
  printer->Write(")\n");
}

void PrintMatch(Printer* printer, const tir::MatchBufferRegion& match) {
  printer->BeginLine();
  const size_t place = printer->text().size();
  printer->Write("tir.match_buffer(");
  PrintRegion(printer, match->source.get());
  const bool is_known = printer->IsKnown(match->buffer.get());
  printer->Write(", ");
  const std::string name = printer->Bind(match->buffer.get(), match->buffer->name);
  if (is_known) {
    printer->Write(name);
  } else {
    PrintBufferArguments(printer, match->buffer.get(), name);
    printer->Insert(place, name + " = ");
  }
  printer->Write(")");
  printer->Note(match.get(), place);
  printer->Write("\n");
}

/*! \param is_root Whether the parser does not look for regions that the text does not state. */
void PrintBlockParts(Printer* printer, const tir::BlockNode* block, bool is_root) {
  if (!is_root || !block->reads.empty()) PrintRegions(printer, "tir.reads(", block->reads);
  if (!is_root || !block->writes.empty()) PrintRegions(printer, "tir.writes(", block->writes);
  if (!block->annotations.empty()) printer->PrintLine("tir.block_attr(", block->annotations, ")");
  for (const tir::Buffer& buffer : block->alloc_buffers) PrintBlockBuffer(printer, buffer);
  for (const tir::MatchBufferRegion& match : block->match_buffers) PrintMatch(printer, match);
  if (block->init.has_value()) {
    printer->PrintLine("with tir.init():");
    printer->PrintSuite(block->init.value().get());
  }
  printer->PrintStmt(block->body.get());
}

/*! \param realize The realization of the block; null for a block without one. */
void PrintBlockLines(Printer* printer, const tir::BlockNode* block,
                     const tir::BlockRealizeNode* realize) {
  printer->BeginLine();
  const size_t begin = printer->text().size();
  printer->Print("with tir.block(", block->name_hint,
                 realize == nullptr ? ", realize=False):" : "):");
  printer->Note(block, begin);
  printer->EndLine();
  const Printer::Scope scope(printer);
  ++printer->indent();
  for (size_t i = 0; i < block->iter_vars.size(); ++i) {
    const ir::PrimExprNode* value = realize == nullptr ? nullptr : realize->iter_values[i].get();
    PrintAxis(printer, block->iter_vars[i].get(), value);
  }
  const auto* always = realize == nullptr ? nullptr : realize->predicate.as<ir::IntImmNode>();
  if (realize != nullptr && (always == nullptr || always->value == 0)) {
    printer->PrintLine("tir.where(", realize->predicate, ")");
  }
  const bool is_body = realize != nullptr && realize == printer->state().body;
  PrintBlockParts(printer, block, is_body && block->iter_vars.empty());
  --printer->indent();
}

void PrintBlock(Printer* printer, const ffi::Object* stmt) {
  PrintBlockLines(printer, static_cast<const tir::BlockNode*>(stmt), nullptr);
}

void PrintRealize(Printer* printer, const ffi::Object* stmt) {
  const auto* realize = static_cast<const tir::BlockRealizeNode*>(stmt);
  PrintBlockLines(printer, realize->block.get(), realize);
}

// Reductions.

void PrintIterVar(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* axis = static_cast<const tir::IterVarNode*>(node);
  printer->Print("tir.IterVar(", axis->var, ", ", axis->dom, ", ");
  printer->WriteQuoted(IterTypeName(axis->iter_type));
  if (!axis->thread_tag.empty()) printer->Print(", ", axis->thread_tag);
  printer->Write(')');
}

/*! \brief Whether a lambda can bind the variables: it states no types. */
bool IsLambda(Printer* printer, const tir::CommReducerNode* reducer) {
  if (reducer->lhs.size() != reducer->identity_element.size()) return false;
  std::unordered_set<const ffi::Object*> known;
  for (const ffi::Array<tir::Var>& side : {reducer->lhs, reducer->rhs}) {
    for (size_t i = 0; i < side.size(); ++i) {
      const tir::VarNode* var = side[i].get();
      const bool is_new = var->type_index() == tir::VarNode::RuntimeTypeIndex() &&
                          !var->type_annotation.has_value() && !printer->IsKnown(var) &&
                          var->dtype == reducer->identity_element[i]->dtype;
      if (!is_new || !known.insert(var).second) return false;
    }
  }
  // The identity is written outside the lambda, so it cannot use the parameters.
  bool is_bound = false;
  tschema::Walk(reducer->identity_element,
                [&](const tir::VarNode* var) { is_bound |= known.count(var) != 0; });
  return !is_bound;
}

void PrintLambda(Printer* printer, const tir::CommReducerNode* reducer) {
  printer->Write("tir.comm_reducer(lambda ");
  const Printer::Scope scope(printer);
  const char* separator = "";
  for (const ffi::Array<tir::Var>& side : {reducer->lhs, reducer->rhs}) {
    for (const tir::Var& var : side) {
      printer->Print(separator, printer->BindVar(var.get()));
      separator = ", ";
    }
  }
  printer->Write(": ");
  reducer->result.size() == 1 ? printer->PrintExpr(reducer->result[0].get())
                              : printer->PrintTuple(reducer->result);
}

void PrintReducer(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* reducer = static_cast<const tir::CommReducerNode*>(node);
  if (!printer->state().dags.insert(node).second) return printer->DeclareNextTime(node);
  if (!IsLambda(printer, reducer)) return printer->PrintGeneric(node);
  PrintLambda(printer, reducer);
  printer->Write(", [");
  printer->PrintExprs(reducer->identity_element);
  printer->Write("])");
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterStmtPrinter("uir.tir.For", &PrintFor);
  RegisterStmtPrinter("uir.tir.Block", &PrintBlock);
  RegisterStmtPrinter("uir.tir.BlockRealize", &PrintRealize);
  RegisterPrinter("uir.tir.IterVar", &PrintIterVar);
  RegisterPrinter("uir.tir.CommReducer", &PrintReducer);
}

}  // namespace

std::string_view IterTypeName(tir::IterVarType type) { return kIterTypes[static_cast<int>(type)]; }

std::optional<tir::IterVarType> FindIterType(std::string_view name) {
  return Find<tir::IterVarType>(kIterTypes, name);
}

std::optional<tir::ForKind> FindLoopKind(std::string_view path) {
  return path == "range" ? tir::ForKind::kSerial : Find<tir::ForKind>(kLoops, path);
}

}  // namespace uir::script
