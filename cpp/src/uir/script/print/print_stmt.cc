// Statements, all but loops and blocks.
#include <tschema/structural_equal.h>
#include <tvm/ffi/cast.h>
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/function.h>
#include <uir/ir/op.h>
#include <uir/ir/range.h>
#include <uir/script/forms.h>
#include <uir/tir/expr.h>
#include <uir/tir/launch.h>
#include <uir/tir/reduce.h>
#include <uir/tir/stmt.h>

#include "./call_types.h"
#include "./print_parts.h"
#include "./printer_state.h"
#include "./sharing.h"

namespace uir::script {

namespace {

template <typename Node>
const Node* As(const ffi::Object* stmt) {
  return static_cast<const Node*>(stmt);
}

void PrintBind(Printer* printer, const ffi::Object* stmt) {
  const auto* bind = As<tir::BindNode>(stmt);
  printer->BeginLine();
  const size_t place = printer->text().size();
  printer->Write(": ");
  if (!PrintVarType(printer, bind->var.get())) {
    printer->Declare(bind->var.get());
    printer->WriteDTypeName(bind->var->dtype);
  }
  printer->Write(" = ");
  printer->PrintExpr(bind->value.get(), Precedence::kNone, bind->var->dtype);
  printer->Insert(place, printer->Bind(bind->var.get(), bind->var->name), bind->var.get());
  printer->EndLine();
}

void PrintStore(Printer* printer, const ffi::Object* stmt) {
  const auto* store = As<tir::BufferStoreNode>(stmt);
  printer->BeginLine();
  printer->Use(store->buffer.get());
  printer->Write(store->predicate.has_value() ? ".vstore([" : "[");
  if (store->indices.empty() && !store->predicate.has_value()) printer->Write("()");
  printer->PrintExprs(store->indices);
  printer->Write(store->predicate.has_value() ? "], " : "] = ");
  printer->PrintExpr(store->value.get(), Precedence::kNone, store->buffer->dtype);
  if (store->predicate.has_value()) {
    printer->Print(", predicate=", store->predicate.value(), ")");
  }
  printer->EndLine();
}

/*! \brief `A = tir.alloc_buffer(...)`, or `tir.AllocBuffer(A)` of a buffer that is declared. */
template <typename Node>
void PrintBufferStmt(Printer* printer, const Node* stmt, const char* form) {
  printer->BeginLine();
  if (printer->IsKnown(stmt->buffer.get())) {
    printer->Bind(stmt->buffer.get(), stmt->buffer->name);
    printer->PrintGeneric(stmt);
    return printer->EndLine();
  }
  const std::string name = printer->Bind(stmt->buffer.get(), stmt->buffer->name);
  printer->Print(name, form);
  PrintBufferArguments(printer, stmt->buffer.get(), name);
  if (!stmt->annotations.empty()) printer->Print(", annotations=", stmt->annotations);
  printer->Write(")\n");
}

void PrintAlloc(Printer* printer, const ffi::Object* stmt) {
  PrintBufferStmt(printer, As<tir::AllocBufferNode>(stmt), " = tir.alloc_buffer(");
}

void PrintDecl(Printer* printer, const ffi::Object* stmt) {
  PrintBufferStmt(printer, As<tir::DeclBufferNode>(stmt), " = tir.decl_buffer(");
}

/*! \brief The thread that an attribute launches; null if `tir.launch_thread` cannot express it. */
const tir::IterVarNode* LaunchedThread(const Printer& printer, const tir::AttrStmtNode* attr) {
  const auto* thread = attr->node.as<tir::IterVarNode>();
  if (thread == nullptr || !thread->dom.has_value()) return nullptr;
  const ir::Range domain = thread->dom.value();
  const tir::VarNode* var = thread->var.get();
  const bool is_new = var->type_index() == tir::VarNode::RuntimeTypeIndex() &&
                      !var->type_annotation.has_value() && !printer.IsKnown(var);
  const bool is_launch = attr->attr_key == tir::LaunchKey(thread->thread_tag) &&
                         thread->iter_type == tir::IterVarType::kThreadIndex &&
                         IsZero(domain->min) && var->dtype == attr->value->dtype &&
                         domain->min->dtype == var->dtype &&
                         tschema::StructuralEqual(domain->extent, attr->value);
  return is_new && is_launch ? thread : nullptr;
}

void PrintAttr(Printer* printer, const ffi::Object* stmt) {
  const auto* attr = As<tir::AttrStmtNode>(stmt);
  if (const tir::IterVarNode* thread = LaunchedThread(*printer, attr)) {
    printer->BeginLine();
    printer->Print("with tir.launch_thread(", thread->thread_tag, ", ", attr->value, ") as ");
    const Printer::Scope scope(printer);
    printer->Print(printer->BindVar(thread->var.get()), ":\n");
    return printer->PrintSuite(attr->body.get());
  }
  printer->PrintLine("with tir.attr(", attr->node, ", ", attr->attr_key, ", ", attr->value, "):");
  printer->PrintSuite(attr->body.get());
}

/*! \brief Print a part of a message: a string, or an expression whose value is written. */
void PrintPart(Printer* printer, const ir::PrimExpr& part) {
  const auto* text = part.as<ir::StringImmNode>();
  text != nullptr ? printer->Print(text->value) : printer->Print(part);
}

void PrintAssert(Printer* printer, const ffi::Object* stmt) {
  const auto* check = As<tir::AssertStmtNode>(stmt);
  printer->BeginLine();
  printer->Print("assert ", check->condition);
  const bool is_text = check->message_parts.size() == 1 &&
                       check->message_parts[0].as<ir::StringImmNode>() != nullptr;
  const bool is_plain = check->kind->value == "RuntimeError";
  if (!is_plain || (!is_text && !check->message_parts.empty())) {
    printer->Print(", (", check->kind->value, ", [");
    const char* separator = "";
    for (const ir::PrimExpr& part : check->message_parts) {
      printer->Write(separator);
      PrintPart(printer, part);
      separator = ", ";
    }
    printer->Write("])");
  } else if (is_text) {
    printer->Write(", ");
    PrintPart(printer, check->message_parts[0]);
  }
  printer->EndLine();
}

void PrintSeq(Printer* printer, const ffi::Object* stmt) {
  const auto* sequence = As<tir::SeqStmtNode>(stmt);
  if (sequence->seq.size() == 1) {
    printer->PrintLine("with tir.seq():");
    return printer->PrintSuite(sequence->seq[0].get());
  }
  for (const tir::Stmt& part : sequence->seq) printer->PrintStmt(part.get());
  if (sequence->seq.empty()) printer->PrintLine("pass");
}

void PrintIf(Printer* printer, const ffi::Object* stmt) {
  const auto* branch = As<tir::IfThenElseNode>(stmt);
  for (const char* keyword = "if "; branch != nullptr; keyword = "elif ") {
    printer->PrintLine(keyword, branch->condition, ":");
    printer->PrintSuite(branch->then_case.get());
    if (!branch->else_case.has_value()) return;
    const ffi::Object* other = branch->else_case.value().get();
    // A declared branch prints by its name, and a measured one on its own.
    const bool is_part = IsNamed(printer->state(), other) || IsMeasuring(printer->state());
    branch = is_part ? nullptr : ffi::AnyView(other).as<tir::IfThenElseNode>();
    if (branch != nullptr) continue;
    printer->PrintLine("else:");
    printer->PrintSuite(other);
  }
}

void PrintWhile(Printer* printer, const ffi::Object* stmt) {
  const auto* loop = As<tir::WhileNode>(stmt);
  printer->PrintLine("while ", loop->condition, ":");
  printer->PrintSuite(loop->body.get());
}

void PrintBreak(Printer* printer, const ffi::Object*) { printer->PrintLine("break"); }

void PrintContinue(Printer* printer, const ffi::Object*) { printer->PrintLine("continue"); }

/*! \brief The value that a call returns from the function, or null if it is another call. */
const ir::PrimExprNode* Returned(const tir::CallNode* call) {
  const auto* op = call->op.as<ir::OpNode>();
  const bool is_return = op != nullptr && op->name == "tir.ret" && call->args.size() == 1 &&
                         call->dtype == DefaultCallType(call->op, call->args);
  return is_return ? call->args[0].get() : nullptr;
}

void PrintEvaluate(Printer* printer, const ffi::Object* stmt) {
  const auto* evaluate = As<tir::EvaluateNode>(stmt);
  const auto* call = evaluate->value.as<tir::CallNode>();
  const bool is_root = printer->state().root == stmt;
  const ir::PrimExprNode* returned = call == nullptr || is_root ? nullptr : Returned(call);
  if (returned != nullptr) {
    printer->PrintLine("return ", ffi::GetRef<ir::PrimExpr>(returned));
  } else if (call != nullptr && !is_root) {
    printer->PrintLine(evaluate->value);
  } else {
    printer->PrintLine("tir.evaluate(", evaluate->value, ")");
  }
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterStmtPrinter("uir.tir.Bind", &PrintBind);
  RegisterStmtPrinter("uir.tir.BufferStore", &PrintStore);
  RegisterStmtPrinter("uir.tir.AllocBuffer", &PrintAlloc);
  RegisterStmtPrinter("uir.tir.DeclBuffer", &PrintDecl);
  RegisterStmtPrinter("uir.tir.AttrStmt", &PrintAttr);
  RegisterStmtPrinter("uir.tir.AssertStmt", &PrintAssert);
  RegisterStmtPrinter("uir.tir.SeqStmt", &PrintSeq);
  RegisterStmtPrinter("uir.tir.IfThenElse", &PrintIf);
  RegisterStmtPrinter("uir.tir.While", &PrintWhile);
  RegisterStmtPrinter("uir.tir.Break", &PrintBreak);
  RegisterStmtPrinter("uir.tir.Continue", &PrintContinue);
  RegisterStmtPrinter("uir.tir.Evaluate", &PrintEvaluate);
}

}  // namespace

}  // namespace uir::script
