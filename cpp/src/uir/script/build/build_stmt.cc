// Statements in order, with the names that each binds for the following ones.
#include <tschema/stack_guard.h>
#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/op.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "./builder_state.h"
#include "./fold.h"

namespace uir::script {

namespace {

using ir::PrimExpr;
using MaybeStmt = std::optional<tir::Stmt>;

bool HasIdentity(const ffi::Any& value) {
  if (value.type_index() < kTVMFFIStaticObjectBegin) return false;
  return tschema::TypeInfoOf(value.type_index()).structural_kind == kTVMFFISEqHashKindFreeVar;
}

tir::Stmt ReadStoreStmt(Builder* builder, const SyntaxNode* target, const SyntaxNode* value) {
  const tir::Buffer buffer = builder->Buffer((*target)[0]);
  const ffi::Array<PrimExpr> indices = BuildIndices(builder, buffer, target);
  const PrimExpr stored = BuildStored(builder, value, buffer, indices);
  return builder->At(target, [&] { return tir::BufferStore(buffer, stored, indices); });
}

/*! \brief Bind a variable to an expression, or give another value a name. */
MaybeStmt BindTarget(Builder* builder, const SyntaxNode* node, const SyntaxNode* target,
                     const SyntaxNode* value, const ffi::Any& known) {
  if (IsElement(builder, target)) {
    return StoreElement(builder, target, KnownNode(builder, value, known));
  }
  const bool is_new = value->kind == Syntax::kCall && HasIdentity(known);
  const bool is_expr = known.type_index() < kTVMFFIStaticObjectBegin || known.as<PrimExpr>();
  if (is_new || !is_expr) {
    builder->Declare(target, known);
    return std::nullopt;
  }
  const PrimExpr expr = builder->ToExpr(known, value);
  const tir::Var var = builder->BindVar(target, expr->dtype);
  return builder->At(node, [&] { return tir::Bind(var, expr); });
}

/*! \brief `name = value`: a declaration, or the binding of a variable. */
MaybeStmt ReadAssign(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* target = (*node)[0];
  const SyntaxNode* value = (*node)[1];
  if (target->kind == Syntax::kSubscript) return ReadStoreStmt(builder, target, value);
  if (value->kind == Syntax::kCall) {
    const std::string_view path = builder->Path((*value)[0]);
    const AssignForm form = FindAssignForm(path);
    if (form != nullptr) return form(builder, target, value);
    if (MaybeStmt stmt =
            BuildDeclaredStmt(builder, DeclaredForm::Kind::kAssign, target, value, nullptr)) {
      return stmt;
    }
    if (const auto var = BuildSymbolicVar(builder, target, value, path)) {
      builder->Declare(target, *var);
      return std::nullopt;
    }
  }
  if (target->kind != Syntax::kName) {
    builder->Fail(target, "expected a name or an element of a buffer to assign to");
  }
  const bool is_method = value->kind == Syntax::kCall && builder->Path((*value)[0]).empty();
  if (is_method && (*value)[0]->kind == Syntax::kAttribute && (*value)[0]->text == "view") {
    return BuildView(builder, target, value);
  }
  return BindTarget(builder, node, target, value, builder->Value(value));
}

/*! \brief Whether a value is read together with its name: a buffer, a variable. */
bool IsNamedForm(Builder* builder, const SyntaxNode* name, const SyntaxNode* value) {
  if (value->kind != Syntax::kCall) return false;
  const std::string_view path = builder->Path((*value)[0]);
  return FindAssignForm(path) != nullptr || BuildSymbolicVar(builder, name, value, path);
}

/*! \brief `a, b = x, y`, whose values are read before any name is bound; or `n, m = A.shape`. */
void ReadTupleAssign(Builder* builder, const SyntaxNode* node, std::vector<tir::Stmt>* stmts) {
  const SyntaxNode* target = (*node)[0];
  const SyntaxNode* value = (*node)[1];
  const auto check = [&](size_t size) {
    if (size == target->size) return;
    builder->Fail(node, "there are " + std::to_string(target->size) + " names for " +
                            std::to_string(size) + " values");
  };
  if (value->kind != Syntax::kTuple) {
    const auto values = builder->Value(value).as<ffi::Array<ffi::Any>>();
    if (!values) builder->Fail(target, "expected as many values, got one");
    check(values->size());
    for (uint32_t i = 0; i < target->size; ++i) builder->Define((*target)[i], (*values)[i]);
    return;
  }
  check(value->size);
  std::vector<ffi::Any> known(value->size);
  for (uint32_t i = 0; i < value->size; ++i) {
    if (!IsNamedForm(builder, (*target)[i], (*value)[i])) known[i] = builder->Value((*value)[i]);
  }
  for (uint32_t i = 0; i < value->size; ++i) {
    const SyntaxNode* const children[] = {(*target)[i], (*value)[i]};
    const SyntaxNode one{Syntax::kAssign, 2, children[0]->begin, children[1]->end, {}, children};
    const MaybeStmt stmt = IsNamedForm(builder, children[0], children[1])
                               ? builder->Statement(&one)
                               : BindTarget(builder, &one, children[0], children[1], known[i]);
    if (stmt.has_value()) stmts->push_back(builder->Spanned(*stmt, &one));
  }
}

/*! \brief Whether a statement assigns to several names, and no form reads them together. */
bool IsTupleAssign(Builder* builder, const SyntaxNode* node) {
  if (node->kind != Syntax::kAssign || (*node)[0]->kind != Syntax::kTuple) return false;
  const SyntaxNode* value = (*node)[1];
  const bool is_call = value->kind == Syntax::kCall;
  return !is_call || FindAssignForm(builder->Path((*value)[0])) == nullptr ||
         builder->Path((*value)[0]) == "tir.meta_var";
}

MaybeStmt ReadAugmented(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* target = (*node)[0];
  const SyntaxNode* const children[] = {target, (*node)[1]};
  SyntaxNode sum{Syntax::kBinary, 2, node->begin, node->end, node->text, children};
  if (target->kind == Syntax::kSubscript) return ReadStoreStmt(builder, target, &sum);
  if (IsElement(builder, target)) return StoreElement(builder, target, &sum);
  builder->Fail(target, "only an element of a buffer can be changed",
                "a variable has one value: bind another one, or declare `x: tir.int32`");
}

MaybeStmt ReadExpression(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* value = (*node)[0];
  if (value->kind == Syntax::kString) return std::nullopt;
  if (value->kind == Syntax::kCall) {
    const SyntaxNode* callee = (*value)[0];
    const std::string_view path = builder->Path(callee);
    if (const StmtForm form = FindStmtForm(path)) return form(builder, value);
    if (MaybeStmt expanded = ExpandMacro(builder, value)) return expanded;
    if (path.empty() && callee->kind == Syntax::kAttribute && callee->text == "vstore") {
      const CallArguments arguments(builder, value, {"indices", "value", "predicate"});
      const tir::Buffer buffer = builder->Buffer((*callee)[0]);
      const ffi::Array<PrimExpr> indices = builder->Exprs(arguments.Required("indices"));
      const PrimExpr stored = BuildStored(builder, arguments.Required("value"), buffer, indices);
      ffi::Optional<PrimExpr> predicate;
      if (arguments["predicate"] != nullptr) {
        predicate = BuildPredicate(builder, arguments["predicate"]);
      }
      return builder->At(value,
                         [&] { return tir::BufferStore(buffer, stored, indices, predicate); });
    }
  }
  builder->state().statement_call = value;
  const ffi::Any known = builder->Value(value);
  if (MaybeStmt stmt = known.as<tir::Stmt>()) return stmt;
  if (std::optional<PrimExpr> expr = known.as<PrimExpr>()) return tir::Evaluate(*expr);
  // A number on a line, as TVM reads it.
  if (known.type_index() == kTVMFFIInt) return tir::Evaluate(builder->ToExpr(known, value));
  // A function of Python that returns None.
  if (value->kind == Syntax::kCall && known == nullptr) return std::nullopt;
  builder->Fail(value, "expected a statement, found `" + known.GetTypeKey() + "`");
}

MaybeStmt ReadAssertStmt(Builder* builder, const SyntaxNode* node) {
  const PrimExpr condition = BuildCondition(builder, (*node)[0], builder->Operand((*node)[0]));
  ffi::String kind = "RuntimeError";
  ffi::Array<PrimExpr> parts;
  const SyntaxNode* message = (*node)[1];
  if (message != nullptr && message->kind == Syntax::kTuple) {
    if (message->size != 2 || (*message)[1]->kind != Syntax::kList) {
      builder->Fail(message, "expected the error's kind and the parts of its message",
                    "`(\"ValueError\", [\"one\", n])`");
    }
    kind = builder->String((*message)[0]);
    const SyntaxNode* list = (*message)[1];
    for (uint32_t i = 0; i < list->size; ++i) {
      const SyntaxNode* part = (*list)[i];
      parts.push_back(builder->ToExpr(builder->Value(part), part));
    }
  } else if (message != nullptr) {
    parts.push_back(ir::StringImm(builder->String(message)));
  }
  return builder->At(node, [&] { return tir::AssertStmt(ir::StringImm(kind), condition, parts); });
}

MaybeStmt ReadReturn(Builder* builder, const SyntaxNode* node) {
  if ((*node)[0] == nullptr) builder->Fail(node, "expected a value after `return`");
  const PrimExpr value = builder->Expr((*node)[0]);
  return builder->At(node, [&]() -> tir::Stmt {
    return tir::Evaluate(tir::call_intrin(ir::kVoid, "tir.ret", {value}));
  });
}

/*! \brief The body of `else`, or the statement `elif`; none if there is neither. */
MaybeStmt ReadElse(Builder* builder, const SyntaxNode* other) {
  if (other == nullptr) return std::nullopt;
  return other->kind == Syntax::kSuite ? builder->Suite(other) : builder->Statement(other);
}

/*! \brief A conditional; one whose condition Python knows is the statement that runs. */
MaybeStmt ReadIf(Builder* builder, const SyntaxNode* node) {
  const ffi::Any known = builder->Operand((*node)[0]);
  if (const std::optional<bool> truth = FoldedTruth(known, (*node)[0])) {
    return *truth ? builder->Suite((*node)[1]) : ReadElse(builder, (*node)[2]);
  }
  const PrimExpr condition = BuildCondition(builder, (*node)[0], known);
  const tir::Stmt then_case = builder->Suite((*node)[1]);
  ffi::Optional<tir::Stmt> else_case;
  if (const MaybeStmt other = ReadElse(builder, (*node)[2])) else_case = *other;
  return builder->At(node, [&] { return tir::IfThenElse(condition, then_case, else_case); });
}

MaybeStmt ReadWhile(Builder* builder, const SyntaxNode* node) {
  const PrimExpr condition = BuildCondition(builder, (*node)[0], builder->Operand((*node)[0]));
  const tir::Stmt body = builder->Suite((*node)[1]);
  return builder->At(node, [&] { return tir::While(condition, body); });
}

MaybeStmt ReadWith(Builder* builder, const SyntaxNode* node) {
  const SyntaxNode* call = (*node)[0];
  if (call->kind != Syntax::kCall) builder->Fail(call, "expected a call after `with`");
  const std::string_view path = builder->Path((*call)[0]);
  const WithForm form = FindWithForm(path);
  if (form == nullptr) {
    if (MaybeStmt stmt =
            BuildDeclaredStmt(builder, DeclaredForm::Kind::kWith, (*node)[2], call, (*node)[1])) {
      return stmt;
    }
    if (path.empty()) builder->Fail(call, "expected a call by a name after `with`");
    builder->FailUnknown((*call)[0], path);
  }
  const bool has_value = path == "tir.launch_thread" || path == "tir.LetStmt" ||
                         path == "tir.Bind" || path == "tir.allocate" ||
                         path == "tir.alloc_buffer" || path == "tir.decl_buffer" ||
                         path == "tir.allocate_const";
  if ((*node)[2] != nullptr && !has_value) {
    builder->Fail((*node)[2], "`" + std::string(path) + "` has no value to name");
  }
  tir::Stmt stmt = form(builder, node);
  if (path == "tir.init") return std::nullopt;
  return stmt;
}

MaybeStmt ReadStatement(Builder* builder, const SyntaxNode* node) {
  switch (node->kind) {
    case Syntax::kAssign:
      return ReadAssign(builder, node);
    case Syntax::kAnnotated:
      return BuildAnnotated(builder, node);
    case Syntax::kAugmented:
      return ReadAugmented(builder, node);
    case Syntax::kExpression:
      return ReadExpression(builder, node);
    case Syntax::kFor:
      return BuildFor(builder, node);
    case Syntax::kWhile:
      return ReadWhile(builder, node);
    case Syntax::kIf:
      return ReadIf(builder, node);
    case Syntax::kWith:
      return ReadWith(builder, node);
    case Syntax::kAssert:
      return ReadAssertStmt(builder, node);
    case Syntax::kReturn:
      return ReadReturn(builder, node);
    case Syntax::kBreak:
      return tir::Break();
    case Syntax::kContinue:
      return tir::Continue();
    case Syntax::kPass:
      return std::nullopt;
    default:
      if (ReadMacro(builder, node)) return std::nullopt;
      builder->Fail(node, "a function or a class cannot stand here");
  }
}

/*! \brief Whether a line refers to a statement from elsewhere, which keeps its own span. */
bool IsStmtName(const SyntaxNode* node) {
  if (node->kind != Syntax::kExpression) return false;
  const Syntax kind = (*node)[0]->kind;
  return kind == Syntax::kName || kind == Syntax::kAttribute || kind == Syntax::kSubscript;
}

}  // namespace

ir::PrimExpr BuildCondition(Builder* builder, const SyntaxNode* node, const ffi::Any& value) {
  const PrimExpr condition = builder->ToExpr(value, node);
  const DLDataType dtype = condition->dtype;
  if (!ir::IsNumber(dtype) || ir::IsFloat(dtype) || !ir::IsScalar(dtype)) return condition;
  if (const auto* number = condition.as<ir::IntImmNode>()) {
    return builder->Spanned(PrimExpr(ir::IntImm(ir::BoolType(), number->value != 0)), node);
  }
  return builder->Spanned(PrimExpr(tir::NE(condition, MakeInt(0, dtype))), node);
}

ir::PrimExpr BuildStored(Builder* builder, const SyntaxNode* node, const tir::Buffer& buffer,
                         const ffi::Array<ir::PrimExpr>& indices) {
  const PrimExpr value = builder->Expr(node, buffer->dtype);
  const int n_elements = indices.empty() ? 1 : ir::LanesOf(indices.back()->dtype);
  const int lanes = n_elements * ir::LanesOf(buffer->dtype);
  const auto is_number = [](DLDataType dtype) { return ir::IsNumber(dtype) || ir::IsBool(dtype); };
  const bool is_convertible = is_number(value->dtype) && is_number(buffer->dtype) &&
                              (ir::IsScalar(value->dtype) || ir::LanesOf(value->dtype) == lanes);
  const auto* constant = value.as<ir::FloatImmNode>();
  const bool is_inexact = constant != nullptr && !ir::IsFloat(buffer->dtype) &&
                          constant->value != std::floor(constant->value);
  if (!is_convertible || is_inexact) return value;
  return builder->At(
      node, [&] { return tir::cast(value, ir::WithLanes(ir::ElementOf(buffer->dtype), lanes)); });
}

std::optional<tir::Stmt> Builder::Statement(const SyntaxNode* node) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return Statement(node); });
  }
  MaybeStmt stmt = At(node, [&] { return ReadStatement(this, node); });
  if (stmt.has_value() && !IsStmtName(node)) SetSpan(stmt->get(), node);
  return stmt;
}

tir::Stmt Builder::Suite(const SyntaxNode* suite) {
  const Scope scope(this);
  return Body(suite);
}

void EncloseRest(Builder* builder, const SyntaxNode* node, Encloser encloser) {
  std::optional<Encloser>* slot = builder->state().encloser;
  if (slot == nullptr) builder->Fail(node, "this belongs into the body of a function");
  if (!slot->has_value()) {
    *slot = std::move(encloser);
    return;
  }
  // `i, j = tir.launch_thread(...), tir.launch_thread(...)`: the second one is in the first one.
  *slot = [outer = *std::move(*slot), inner = std::move(encloser)](const tir::Stmt& rest) {
    return outer(inner(rest));
  };
}

tir::Stmt Builder::Body(const SyntaxNode* suite, size_t first) {
  if (!tschema::EnoughStack()) {
    return tschema::RunOnNewStack([&] { return Body(suite, first); });
  }
  std::vector<tir::Stmt> stmts;
  std::optional<Encloser> encloser;
  const Enter<std::optional<Encloser>> enter(&state_->encloser, &encloser);
  const Enter<const SyntaxNode> in_suite(&state_->suite, suite);
  for (size_t i = first; i < suite->size && !state_->log->is_full(); ++i) {
    const SyntaxNode* node = (*suite)[i];
    try {
      if (IsTupleAssign(this, node)) {
        At(node, [&] { ReadTupleAssign(this, node, &stmts); });
      } else if (MaybeStmt stmt = Statement(node)) {
        stmts.push_back(*std::move(stmt));
      }
      if (encloser.has_value()) {
        const tir::Stmt rest = Body(suite, i + 1);
        stmts.push_back(At(node, [&] { return Spanned((*encloser)(rest), node); }));
        break;
      }
    } catch (const Failure& failure) {
      state_->log->Add(failure);
      const bool binds = node->kind == Syntax::kAssign || node->kind == Syntax::kAnnotated;
      if (binds) Poison((*node)[0]);
    }
  }
  if (stmts.size() == 1) return stmts[0];
  ffi::Array<tir::Stmt> flat;
  for (const tir::Stmt& stmt : stmts) {
    if (const auto* nested = stmt.as<tir::SeqStmtNode>()) {
      flat.insert(flat.end(), nested->seq.begin(), nested->seq.end());
    } else {
      flat.push_back(stmt);
    }
  }
  try {
    return tir::SeqStmt(std::move(flat));
  } catch (const ffi::Error& error) {
    Fail(suite, error.message());
  }
}

}  // namespace uir::script
