/*!
 * \file random_graph.h
 * \brief Random values of many types: expressions, statements, functions, modules, containers.
 */
#ifndef TSCHEMA_TESTS_RANDOM_GRAPH_H_
#define TSCHEMA_TESTS_RANDOM_GRAPH_H_

#include <tvm/ffi/any.h>
#include <uir/ir/expr.h>
#include <uir/ir/function.h>
#include <uir/tir/buffer.h>
#include <uir/tir/stmt.h>
#include <uir/tir/var.h>

#include <random>
#include <vector>

/*!
 * \brief Makes the same value for the same seed, but for one decision.
 *
 * Parts are shared now and then, and variables are used in and out of the scope that binds them,
 * so that the values are graphs, open and closed.
 */
class RandomGraph {
 public:
  /*! \param changed The number of the small decision to make otherwise; -1 for none. */
  explicit RandomGraph(uint32_t seed, int changed = -1) : random_(seed), changed_(changed) {}

  tvm::ffi::Any Value(int depth);
  uir::ir::PrimExpr Expr(int depth);
  uir::tir::Stmt Stmt(int depth);
  uir::ir::BaseFunc Func(int depth);

  /*! \brief The number of small decisions made so far. */
  int num_decisions() const { return num_decisions_; }

 private:
  using Any = tvm::ffi::Any;

  /*! \brief A number below `count` that shapes the graph. */
  int Shape(int count);
  /*! \brief A number below `count` that makes a field's value: the one to change. */
  int Small(int count);
  bool OneIn(int count) { return Shape(count) == 0; }

  uir::ir::PrimExpr Leaf();
  uir::ir::PrimExpr Binary(int depth);
  uir::tir::Var NewVar();
  uir::tir::Var AnyVar();
  uir::tir::Buffer AnyBuffer();
  uir::tir::Stmt Nested(int depth);
  Any Text();
  Any Plain();
  Any Container(int depth);
  Any Foreign(int depth);
  template <typename Mapping>
  Any Map(int depth);
  Any Key();

  std::mt19937 random_;
  int changed_;
  int num_decisions_ = 0;
  std::vector<uir::tir::Var> vars_;
  std::vector<uir::tir::Buffer> buffers_;
  std::vector<uir::ir::PrimExpr> exprs_;
  std::vector<Any> values_;
};

#endif  // TSCHEMA_TESTS_RANDOM_GRAPH_H_
