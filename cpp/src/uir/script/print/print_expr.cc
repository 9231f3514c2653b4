// Expressions: operators with as few parentheses as Python needs, calls, and the other forms.
#include <tvm/ffi/dtype.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/function.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/script/forms.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/object_access.h>
#include <uir/tir/object_layout.h>

#include "../syntax/literals.h"
#include "./call_types.h"
#include "./names.h"

namespace uir::script {

namespace {

using ir::PrimExprNode;

bool IsNumberNode(const PrimExprNode* expr) {
  const auto* integer = ffi::AnyView(expr).as<ir::IntImmNode>();
  if (integer != nullptr) return !ir::IsBool(integer->dtype);
  return ffi::AnyView(expr).as<ir::FloatImmNode>() != nullptr;
}

/*!
 * \brief Write two operands.
 *
 * A number takes the data type of the other operand, so it is written without a type.
 */
void PrintOperands(Printer* printer, const PrimExprNode* a, const PrimExprNode* b,
                   std::string_view symbol, Precedence a_least, Precedence b_least) {
  const bool is_bare = IsNumberNode(a) && !IsNumberNode(b);
  printer->PrintExpr(a, a_least, is_bare ? b->dtype : kNoType);
  printer->Write(symbol);
  printer->PrintExpr(b, b_least, IsNumberNode(b) && !IsNumberNode(a) ? a->dtype : kNoType);
}

void PrintBinary(Printer* printer, const PrimExprNode* a, const PrimExprNode* b,
                 std::string_view symbol, Precedence own, Precedence at_least) {
  const Printer::Parentheses parentheses(printer, own, at_least);
  // Comparisons do not chain, so that both sides are tighter; others group to the left.
  const Precedence left = own == Precedence::kCompare ? Above(own) : own;
  PrintOperands(printer, a, b, symbol, left, Above(own));
}

void PrintBinaryCall(Printer* printer, const PrimExprNode* a, const PrimExprNode* b,
                     std::string_view name) {
  printer->Print(name, "(");
  PrintOperands(printer, a, b, ", ", Precedence::kNone, Precedence::kNone);
  printer->Write(')');
}

template <typename Node>
void RegisterInfix(const char* key, const char* symbol, Precedence own) {
  RegisterPrinter(key, [symbol, own](Printer* printer, const ffi::Object* node, Precedence least) {
    const auto* op = static_cast<const Node*>(node);
    PrintBinary(printer, op->a.get(), op->b.get(), symbol, own, least);
  });
}

template <typename Node>
void RegisterFunction(const char* key, const char* name) {
  RegisterPrinter(key, [name](Printer* printer, const ffi::Object* node, Precedence) {
    const auto* op = static_cast<const Node*>(node);
    PrintBinaryCall(printer, op->a.get(), op->b.get(), name);
  });
}

void PrintDiv(Printer* printer, const ffi::Object* node, Precedence at_least) {
  const auto* op = static_cast<const tir::DivNode*>(node);
  if (!ir::IsFloat(op->dtype)) {
    return PrintBinaryCall(printer, op->a.get(), op->b.get(), "tir.truncdiv");
  }
  PrintBinary(printer, op->a.get(), op->b.get(), " / ", Precedence::kProduct, at_least);
}

void PrintNot(Printer* printer, const ffi::Object* node, Precedence at_least) {
  const Printer::Parentheses parentheses(printer, Precedence::kNot, at_least);
  printer->Write("not ");
  printer->PrintExpr(static_cast<const tir::NotNode*>(node)->a.get(), Precedence::kNot);
}

void PrintCast(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* op = static_cast<const tir::CastNode*>(node);
  const bool is_constant = IsNumberNode(op->value.get()) ||
                           ffi::AnyView(op->value).as<ir::IntImmNode>() != nullptr ||
                           ffi::AnyView(op->value).as<ir::StringImmNode>() != nullptr;
  const bool is_plain = !is_constant && (ir::IsNumber(op->dtype) || ir::IsBool(op->dtype));
  if (is_plain) {
    printer->WriteDTypeName(op->dtype);
    printer->Write('(');
  } else {
    printer->Print("tir.Cast(", op->dtype, ", ");
  }
  printer->Print(op->value, ")");
}

void PrintLet(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* op = static_cast<const tir::LetNode*>(node);
  const tir::VarNode* var = op->var.get();
  printer->Write("tir.Let(");
  const std::string name = printer->WriteReserved(var);
  printer->Print(", ", op->value, ", ");
  const Printer::Scope scope(printer);
  printer->BindReserved(var, name);
  printer->Print(op->body, ")");
}

/*! \brief Intrinsics that are written as operators. */
struct IntrinsicInfix {
  std::string_view name;
  std::string_view symbol;
  Precedence precedence;
};

constexpr IntrinsicInfix kIntrinsicInfixes[] = {
    {"tir.bitwise_and", " & ", Precedence::kBitAnd}, {"tir.bitwise_or", " | ", Precedence::kBitOr},
    {"tir.bitwise_xor", " ^ ", Precedence::kBitXor}, {"tir.shift_left", " << ", Precedence::kShift},
    {"tir.shift_right", " >> ", Precedence::kShift},
};

/*! \brief Write a call as an operator; false if that would have another meaning. */
bool PrintOperator(Printer* printer, const tir::CallNode* call, const ffi::String& name,
                   Precedence at_least) {
  if (call->args.empty() || call->args[0]->dtype != call->dtype) return false;
  if (name == "tir.bitwise_not" && call->args.size() == 1) {
    // Python would fold `~` into a number.
    if (IsNumberNode(call->args[0].get())) return false;
    const Printer::Parentheses parentheses(printer, Precedence::kUnary, at_least);
    printer->Write('~');
    printer->PrintExpr(call->args[0].get(), Precedence::kUnary);
    return true;
  }
  if (call->args.size() != 2 || call->args[1]->dtype != call->dtype) return false;
  for (const IntrinsicInfix& infix : kIntrinsicInfixes) {
    if (Text(name) != infix.name) continue;
    PrintBinary(printer, call->args[0].get(), call->args[1].get(), infix.symbol, infix.precedence,
                at_least);
    return true;
  }
  return false;
}

/*! \brief Whether `object.field` reads back as a call. */
bool IsMember(const tir::CallNode* call) {
  if (call->args.size() != 2) return false;
  const auto* field = call->args[1].as<ir::StringImmNode>();
  const auto* object = call->args[0].as<tir::CallNode>();
  const bool is_plain = object != nullptr || call->args[0].as<tir::VarNode>() != nullptr;
  const ffi::Optional<tir::ObjectType> type = tir::object_type_of(call->args[0]);
  if (field == nullptr || !is_plain || !type.has_value()) return false;
  if (!IsIdentifier(Text(field->value)) || field->value == "dtype") return false;
  try {
    return tir::FindObjectField(type.value()->key, field->value).dtype == call->dtype;
  } catch (const ffi::Error&) {
    return false;
  }
}

/*! \brief Write the read of a field as `object.field`; false if that does not determine it. */
bool PrintMember(Printer* printer, const tir::CallNode* call, const ffi::String& name) {
  if (name != "tir.get_field" || !IsMember(call)) return false;
  printer->PrintExpr(call->args[0].get(), Precedence::kPrimary);
  printer->Print(".", Text(call->args[1].as<ir::StringImmNode>()->value));
  return true;
}

bool IsDotted(Text name) {
  size_t begin = 0;
  while (true) {
    const size_t dot = std::min(name.find('.', begin), name.size());
    const std::string_view part = name.substr(begin, dot - begin);
    if (!IsIdentifier(part) && !IsReserved(part)) return false;
    if (dot == name.size()) return begin > 0;
    begin = dot + 1;
  }
}

/*! \brief Write the callee; false if it has to be an argument of `tir.Call`. */
bool PrintCallee(Printer* printer, const ffi::Object* callee) {
  if (const auto* op = ffi::AnyView(callee).as<ir::OpNode>()) {
    if (!IsDotted(op->name) || FindSyntax(Text(op->name)) != nullptr) return false;
    printer->Write(op->name);
    return true;
  }
  if (callee->type_index() != ir::GlobalVarNode::RuntimeTypeIndex()) return false;
  printer->Use(callee);
  return true;
}

void PrintTIRCall(Printer* printer, const ffi::Object* node, Precedence at_least) {
  const auto* call = static_cast<const tir::CallNode*>(node);
  const auto* op = ffi::AnyView(call->op).as<ir::OpNode>();
  if (op != nullptr && PrintOperator(printer, call, op->name, at_least)) return;
  if (op != nullptr && PrintMember(printer, call, op->name)) return;
  const size_t begin = printer->text().size();
  if (!PrintCallee(printer, call->op.get())) {
    printer->text().resize(begin);
    return printer->PrintGeneric(node);
  }
  printer->Write('(');
  printer->PrintExprs(call->args);
  if (StatesType(call)) {
    printer->Print(call->args.empty() ? "dtype=" : ", dtype=", call->dtype);
  }
  printer->Write(')');
}

void PrintOp(Printer* printer, const ffi::Object* node, Precedence) {
  printer->Print("ir.op(", static_cast<const ir::OpNode*>(node)->name, ")");
}

/*! \brief `tir.Var("x", "int32")`: how a variable is declared. */
void PrintVar(Printer* printer, const ffi::Object* node, Precedence) {
  const auto* var = static_cast<const tir::VarNode*>(node);
  const bool is_size = var->type_index() == tir::SizeVarNode::RuntimeTypeIndex();
  printer->Print(is_size ? "tir.SizeVar(" : "tir.Var(", var->name, ", ", var->dtype);
  if (var->type_annotation.has_value()) printer->Print(", ", var->type_annotation.value());
  printer->Write(')');
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterInfix<tir::AddNode>("uir.tir.Add", " + ", Precedence::kSum);
  RegisterInfix<tir::SubNode>("uir.tir.Sub", " - ", Precedence::kSum);
  RegisterInfix<tir::MulNode>("uir.tir.Mul", " * ", Precedence::kProduct);
  RegisterInfix<tir::FloorDivNode>("uir.tir.FloorDiv", " // ", Precedence::kProduct);
  RegisterInfix<tir::FloorModNode>("uir.tir.FloorMod", " % ", Precedence::kProduct);
  RegisterFunction<tir::ModNode>("uir.tir.Mod", "tir.truncmod");
  RegisterFunction<tir::MinNode>("uir.tir.Min", "tir.min");
  RegisterFunction<tir::MaxNode>("uir.tir.Max", "tir.max");
  RegisterInfix<tir::EQNode>("uir.tir.EQ", " == ", Precedence::kCompare);
  RegisterInfix<tir::NENode>("uir.tir.NE", " != ", Precedence::kCompare);
  RegisterInfix<tir::LTNode>("uir.tir.LT", " < ", Precedence::kCompare);
  RegisterInfix<tir::LENode>("uir.tir.LE", " <= ", Precedence::kCompare);
  RegisterInfix<tir::GTNode>("uir.tir.GT", " > ", Precedence::kCompare);
  RegisterInfix<tir::GENode>("uir.tir.GE", " >= ", Precedence::kCompare);
  RegisterInfix<tir::AndNode>("uir.tir.And", " and ", Precedence::kAnd);
  RegisterInfix<tir::OrNode>("uir.tir.Or", " or ", Precedence::kOr);
  RegisterPrinter("uir.tir.Div", &PrintDiv);
  RegisterPrinter("uir.tir.Not", &PrintNot);
  RegisterPrinter("uir.tir.Cast", &PrintCast);
  RegisterPrinter("uir.tir.Let", &PrintLet);
  RegisterPrinter("uir.tir.Call", &PrintTIRCall);
  RegisterPrinter("uir.ir.Op", &PrintOp);
  RegisterPrinter("uir.tir.Var", &PrintVar);
  RegisterPrinter("uir.tir.SizeVar", &PrintVar);
}

}  // namespace

}  // namespace uir::script
