// Combines the products of one value and several constant matrices into one product.
#include <uir/relay/arithmetic.h>
#include <uir/relay/call.h>
#include <uir/relay/contraction.h>
#include <uir/relay/shape.h>
#include <uir/relay/slice.h>
#include <uir/transform/binding_rewriter.h>
#include <uir/transform/pass_config.h>
#include <uir/transform/relay_pass.h>
#include <uir/transform/relay_passes.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "../analysis/constant_values.h"
#include "../analysis/parallel_matmuls.h"

namespace uir::transform {

namespace {

using ir::RelayExpr;

/*! \brief Columns of a combined product. */
struct Columns {
  /*! \brief The index of the set of combined products. */
  size_t set;
  int64_t begin;
  int64_t end;
};

class MatmulCombiner : public BindingRewriter {
 public:
  /*!
   * \param sets The products to combine.
   * \param constants The bindings of values that depend only on constants.
   */
  MatmulCombiner(std::vector<ParallelMatmuls> sets, std::vector<relay::Binding> constants)
      : sets_(std::move(sets)), combined_(sets_.size()), constants_(std::move(constants)) {
    for (size_t i = 0; i < sets_.size(); ++i) {
      const std::vector<ParallelMatmul>& products = sets_[i].products;
      const bool have_summands = sets_[i].HaveSummands();
      firsts_.emplace(products.front().product.get(), i);
      int64_t begin = 0;
      for (const ParallelMatmul& one : products) {
        const relay::Var& result = have_summands ? one.sum.value() : one.product;
        columns_.emplace(result.get(), Columns{i, begin, begin + one.num_columns});
        if (have_summands) dropped_.insert(one.product.get());
        begin += one.num_columns;
      }
    }
  }

 protected:
  void RewriteBinding(const relay::Binding& binding) override {
    EmitConstants();
    const ffi::Object* var = binding->var.get();
    if (early_.count(var) != 0) return;
    const auto first = firsts_.find(var);
    if (first != firsts_.end()) combined_[first->second] = Combined(sets_[first->second]);
    if (dropped_.count(var) != 0) return;
    const auto columns = columns_.find(var);
    if (columns == columns_.end()) return BindingRewriter::RewriteBinding(binding);
    const auto& [set, begin, end] = columns->second;
    Emit(binding, relay::strided_slice(combined_[set].value(), {begin}, {end},
                                       /*axes=*/ffi::Array<int64_t>{-1}));
  }

 private:
  /*! \brief Bind all constants before the first product, which uses those of all products. */
  void EmitConstants() {
    const std::vector<relay::Binding> constants = std::exchange(constants_, {});
    for (const relay::Binding& binding : constants) {
      BindingRewriter::RewriteBinding(binding);
      early_.insert(binding->var.get());
    }
  }

  relay::Var Combined(const ParallelMatmuls& set) {
    ffi::Array<RelayExpr> weights;
    ffi::Array<RelayExpr> summands;
    for (const ParallelMatmul& one : set.products) {
      weights.push_back(VisitRelayExpr(one.weight));
      if (!set.HaveSummands()) continue;
      const RelayExpr summand = VisitRelayExpr(one.summand.value());
      summands.push_back(EmitNew(relay::reshape(summand, {one.num_columns}), "row"));
    }
    const relay::Var weight = EmitNew(relay::concatenate(weights, /*axis=*/1), "weights");
    const relay::Var product = EmitNew(relay::matmul(VisitRelayExpr(set.data), weight), "products");
    if (summands.empty()) return product;
    const relay::Var summand = EmitNew(relay::concatenate(summands, /*axis=*/0), "rows");
    return EmitNew(relay::add(product, summand), "sums");
  }

  std::vector<ParallelMatmuls> sets_;
  std::vector<ffi::Optional<relay::Var>> combined_;
  /*! \brief The bindings to emit before all others; empty afterwards. */
  std::vector<relay::Binding> constants_;
  std::unordered_set<const ffi::Object*> early_;
  /*! \brief The sets, by the variables of their first products. */
  std::unordered_map<const ffi::Object*, size_t> firsts_;
  std::unordered_map<const ffi::Object*, Columns> columns_;
  /*! \brief The products without uses other than their sums. */
  std::unordered_set<const ffi::Object*> dropped_;
};

relay::Function CombineMatmuls(const relay::Function& func, const PassContext& context) {
  // The values that `FoldConstant` will compute.
  const auto options = OptionsOf<FoldConstantOptions>(context);
  const ConstantValues constants =
      FindConstantValues({func}, {options->max_bytes, options->max_growth});
  std::vector<ParallelMatmuls> sets = FindParallelMatmuls(func, constants.vars);
  if (sets.empty()) return func;
  std::vector<relay::Binding> bindings;
  for (const relay::Binding& binding : func->body->bindings) {
    if (constants.vars.count(binding->var.get()) != 0) bindings.push_back(binding);
  }
  return MatmulCombiner(std::move(sets), std::move(bindings)).Run(func);
}

}  // namespace

Pass CombineParallelMatmul() {
  auto run = [](const relay::Function& func, const ir::IRModule&, const PassContext& context) {
    return CombineMatmuls(func, context);
  };
  return MakeFunctionPass(run, 1, "CombineParallelMatmul", {"InferType", "ToANormalForm"});
}

}  // namespace uir::transform
