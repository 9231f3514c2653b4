/*!
 * \file random_ir.h
 * \brief Random statements and expressions: trees, shared parts, variables, every container.
 */
#ifndef TSCHEMA_TESTS_RANDOM_IR_H_
#define TSCHEMA_TESTS_RANDOM_IR_H_

#include <tvm/ffi/any.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/list.h>
#include <tvm/ffi/container/map.h>
#include <uir/ir/expr.h>
#include <uir/ir/span.h>
#include <uir/tir/arith.h>
#include <uir/tir/expr.h>
#include <uir/tir/logic.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "dtypes.h"
#include "tschema/support/depth.h"

namespace ffi = ::tvm::ffi;
namespace ir = ::uir::ir;
namespace tir = ::uir::tir;

inline ir::IntImm Number(int64_t value) { return ir::IntImm(kInt32, value); }

/*! \brief Makes graphs; the same seed makes equal ones. */
class RandomIr {
 public:
  explicit RandomIr(uint32_t seed) : engine_(seed) {
    for (int index = 0; index < 3; ++index) {
      vars_.push_back(tir::Var("v" + std::to_string(index)));
    }
  }

  ir::PrimExpr Expr(int depth) {
    if (depth == 0) return Leaf();
    if (!exprs_.empty() && Below(6) == 0) return exprs_[Below(exprs_.size())];
    ir::PrimExpr expr = NewExpr(depth - 1);
    exprs_.push_back(expr);
    return expr;
  }

  tir::Stmt Stmt(int depth) {
    if (depth == 0) return tir::Evaluate(Expr(1), MaybeSpan());
    if (!stmts_.empty() && Below(6) == 0) return stmts_[Below(stmts_.size())];
    tir::Stmt stmt = NewStmt(depth - 1);
    stmts_.push_back(stmt);
    return stmt;
  }

 private:
  uint32_t Below(size_t bound) { return engine_() % static_cast<uint32_t>(bound); }

  ffi::Optional<ir::Span> MaybeSpan() {
    if (Below(3) != 0) return std::nullopt;
    return ir::Span(ir::SourceName("a file that has a rather long name"), 1 + Below(9), 1);
  }

  ir::PrimExpr Leaf() {
    if (Below(2) == 0) return Number(Below(5));
    return vars_[Below(vars_.size())];
  }

  ir::PrimExpr NewExpr(int depth) {
    ir::PrimExpr a = Expr(depth);
    ir::PrimExpr b = Expr(depth);
    switch (Below(4)) {
      case 0:
        return tir::Add(a, b, MaybeSpan());
      case 1:
        return tir::Mul(a, b);
      case 2:
        return tir::Let(tir::Var("bound", kInt32), a, b);
      default:
        return tir::Call(kInt32, ir::GlobalVar("callee"), {a, b, Expr(depth)}, MaybeSpan());
    }
  }

  tir::Stmt NewStmt(int depth) {
    switch (Below(5)) {
      case 0:
        return tir::SeqStmt({Single(depth), Single(depth), Single(depth)});
      case 1:
        return tir::IfThenElse(tir::LT(Expr(depth), Expr(depth)), Stmt(depth));
      case 2:
        return tir::For(tir::Var("i", kInt32), Number(0), Expr(depth), tir::ForKind::kSerial,
                        Stmt(depth), std::nullopt, Annotations(depth));
      case 3:
        return tir::AttrStmt(Value(depth), "a_key", Expr(depth), Stmt(depth));
      default:
        return tir::Bind(tir::Var("b", kInt32), Expr(depth), MaybeSpan());
    }
  }

  /*! \brief No sequence, which none may hold. */
  tir::Stmt Single(int depth) {
    tir::Stmt stmt = Stmt(depth);
    if (stmt.as<tir::SeqStmtNode>() == nullptr) return stmt;
    return tir::AttrStmt(nullptr, "single", Number(1), stmt);
  }

  ffi::Map<ffi::String, ffi::Any> Annotations(int depth) {
    ffi::Map<ffi::String, ffi::Any> annotations;
    for (uint32_t count = Below(6); count > 0; --count) {
      annotations.Set("annotation " + std::to_string(Below(40)), Value(depth));
    }
    return annotations;
  }

  ffi::Any Value(int depth) {
    switch (Below(9)) {
      case 0:
        return nullptr;
      case 1:
        return Below(100) * 0.5;
      case 2:
        return ffi::String("a string that is not a small one");
      case 3:
        return ffi::Array<ffi::Any>({Expr(depth), "small", true, Expr(depth)});
      case 4:
        return ffi::List<ffi::Any>({Expr(depth), kInt32});
      case 5:
        return ffi::Map<ffi::Any, ffi::Any>({{1, Expr(depth)}, {"two", Expr(depth)}});
      case 6:
        return ffi::Dict<ffi::Any, ffi::Any>({{3, ffi::Array<ffi::Any>({Expr(depth)})}});
      case 7:
        return 7;
      default:
        return Expr(depth);
    }
  }

  std::mt19937 engine_;
  std::vector<tir::Var> vars_;
  std::vector<ir::PrimExpr> exprs_;
  std::vector<tir::Stmt> stmts_;
};

/*! \brief `1 + 1 + ... + 1`, nested to the left. */
inline ir::PrimExpr DeepSum(int depth) {
  ir::PrimExpr sum = Number(1);
  ir::PrimExpr one = Number(1);
  for (int level = 0; level < depth; ++level) sum = tir::Add(std::move(sum), one);
  return sum;
}

/*! \brief A graph of `depth` additions, with twice as many paths at each level. */
inline ir::PrimExpr ManyPaths(int depth) {
  ir::PrimExpr sum = Number(1);
  for (int level = 0; level < depth; ++level) sum = tir::Add(sum, sum);
  return sum;
}

/*! \brief Arrays in maps in lists in dictionaries, `depth` of them around a number. */
inline ffi::Any DeepContainers(int depth) {
  ffi::Any value = Number(1);
  for (int level = 0; level < depth; level += 4) {
    value = ffi::Array<ffi::Any>({std::move(value)});
    value = ffi::Map<ffi::Any, ffi::Any>({{1, std::move(value)}});
    value = ffi::List<ffi::Any>({std::move(value)});
    value = ffi::Dict<ffi::Any, ffi::Any>({{"key", std::move(value)}});
  }
  return value;
}

#endif  // TSCHEMA_TESTS_RANDOM_IR_H_
