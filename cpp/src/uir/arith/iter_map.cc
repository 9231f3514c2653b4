// Iterator maps: detection, expressions, inverses.
#include <tschema/stack_guard.h>
#include <tvm/ffi/error.h>
#include <uir/arith/constraint.h>
#include <uir/arith/int_set.h>
#include <uir/arith/iter_map.h>
#include <uir/ir/diagnostics.h>
#include <uir/tir/arith.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "./iter_map_check.h"
#include "./iter_map_rewriter.h"
#include "./set_evaluator.h"

namespace uir::arith {

using ir::PrimExpr;

namespace {

IterMapLevel LevelOf(const ffi::String& name) {
  if (name == "surjective") return IterMapLevel::kSurjective;
  if (name == "bijective") return IterMapLevel::kBijective;
  if (name == "none") return IterMapLevel::kNone;
  TVM_FFI_THROW(ValueError)
      << "detect_iter_map: `check_level` must be `surjective`, `bijective` or "
      << "`none`, got `" << name << "`";
  TVM_FFI_UNREACHABLE();
}

IterMapResult Failed(const std::string& message) {
  return IterMapResult({}, {ffi::String(message)});
}

void CheckIndex(const char* name, const PrimExpr& index) {
  if (IsIndex(index->dtype)) return;
  TVM_FFI_THROW(TypeError) << name << ": an index must be a scalar of `int32` or `int64`, got `"
                           << index->dtype << "` (" << ir::describe(index) << ")";
}

/*! \brief The number in a product, and how many other factors it has. */
std::pair<int64_t, int64_t> SizeOf(const PrimExpr& product) {
  std::pair<int64_t, int64_t> size = {1, 0};
  std::vector<PrimExpr> rest = {product};
  while (!rest.empty()) {
    const PrimExpr next = rest.back();
    rest.pop_back();
    if (CaseOf(next) == Case::kMul) {
      const Operands operands = OperandsOf(next.get(), Case::kMul);
      rest.push_back(*operands.a);
      rest.push_back(*operands.b);
    } else if (const std::optional<int64_t> number = IntConstOf(next)) {
      if (__builtin_mul_overflow(size.first, *number, &size.first)) size.first = INT64_MAX;
    } else {
      ++size.second;
    }
  }
  return size;
}

/*! \brief The value of a mark's iterator. */
PrimExpr ExprOf(const IterMark& mark);

PrimExpr ExprOf(const IterSplitExpr& term) {
  const DLDataType dtype = term->extent->dtype;
  const Analyzer analyzer;
  PrimExpr value = ExprOf(term->source);
  const PrimExpr end = MakeBinary(Case::kMul, term->lower_factor, term->extent, std::nullopt);
  const bool is_highest =
      analyzer->CanProveLessEqual(term->source->extent, analyzer->Simplify(end));
  if (!is_highest)
    value = MakeBinary(Case::kFloorMod, value, analyzer->Simplify(end), std::nullopt);
  if (IntConstOf(term->lower_factor) != 1) {
    value = MakeBinary(Case::kFloorDiv, value, term->lower_factor, std::nullopt);
  }
  if (IntConstOf(term->scale) == 1) return value;
  if (IntConstOf(term->scale) == -1)
    return MakeBinary(Case::kSub, MakeInt(dtype, 0), value, std::nullopt);
  return MakeBinary(Case::kMul, value, term->scale, std::nullopt);
}

PrimExpr ExprOf(const IterSumExpr& sum) {
  if (!tschema::EnoughStack()) return tschema::RunOnNewStack([&] { return ExprOf(sum); });
  if (sum->args.empty()) return sum->base;
  PrimExpr value = ExprOf(sum->args[0]);
  for (size_t i = 1; i < sum->args.size(); ++i) {
    value = MakeBinary(Case::kAdd, value, ExprOf(sum->args[i]), std::nullopt);
  }
  const int64_t base = IntConstOf(sum->base).value_or(1);
  if (base == 0) return value;
  if (base > 0 || base == INT64_MIN) {
    return MakeBinary(Case::kAdd, value, sum->base, std::nullopt);
  }
  const PrimExpr opposite = MakeInt(sum->base->dtype, -base);
  return MakeBinary(Case::kSub, value, opposite, std::nullopt);
}

PrimExpr ExprOf(const IterMark& mark) {
  if (const auto sum = mark->source.as<IterSumExpr>()) return ExprOf(*sum);
  return mark->source.as<PrimExpr>().value();
}

}  // namespace

void IterMarkNode::PostInit() {
  if (source.as<IterSumExpr>() || source.as<PrimExpr>()) return;
  TVM_FFI_THROW(TypeError) << "IterMark: `source` must be an expression or an `IterSumExpr`, got `"
                           << source->GetTypeKey() << "`";
}

IterMapResult detect_iter_map(ffi::Array<PrimExpr> indices, Ranges domains,
                              ffi::Optional<PrimExpr> predicate, ffi::String check_level,
                              bool simplify_trivial_iterators, ffi::Optional<Analyzer> analyzer) {
  const IterMapLevel level = LevelOf(check_level);
  for (const PrimExpr& index : indices) CheckIndex("detect_iter_map", index);
  const Analyzer known = analyzer.value_or(Analyzer());
  const ConstraintScope scope(known);
  const auto trivial = simplify_trivial_iterators ? IterMapRewriter::Trivial::kAsValue
                                                  : IterMapRewriter::Trivial::kAsIterator;
  IterMapRewriter rewriter(known, domains, trivial);
  if (predicate.has_value() && !rewriter.Assume(predicate.value())) {
    return Failed("the predicate is not a range of fused iterators");
  }
  std::vector<IterSumExpr> sums;
  for (const PrimExpr& index : indices) {
    const std::optional<IterSumExpr> sum = rewriter.Index(index);
    if (!sum)
      return Failed("an index is not made of splits and fusions of iterators: " +
                    std::string(ir::describe(index)));
    sums.push_back(*sum);
  }
  if (level != IterMapLevel::kNone) {
    const std::optional<std::string> fault = IterMapCheck(&rewriter, level).Fault(sums);
    if (fault) return Failed(*fault);
  }
  return IterMapResult({sums.begin(), sums.end()}, {});
}

IterSumExpr normalize_to_iter_sum(PrimExpr index, Ranges domains,
                                  ffi::Optional<Analyzer> analyzer) {
  CheckIndex("normalize_to_iter_sum", index);
  const Analyzer known = analyzer.value_or(Analyzer());
  const ConstraintScope scope(known);
  IterMapRewriter rewriter(known, domains, IterMapRewriter::Trivial::kAsValue);
  IterSum sum = rewriter.BestEffort(index);
  std::stable_sort(sum.args.begin(), sum.args.end(),
                   [](const IterSplitExpr& a, const IterSplitExpr& b) {
                     return SizeOf(a->scale) > SizeOf(b->scale);
                   });
  return IterSumExpr({sum.args.begin(), sum.args.end()}, known->Simplify(sum.base));
}

PrimExpr normalize_iter_map_to_expr(IterSumExpr sum) { return ExprOf(sum); }

ffi::Array<PrimExpr> iter_map_simplify(ffi::Array<PrimExpr> indices, Ranges domains,
                                       ffi::Optional<PrimExpr> predicate, ffi::String check_level,
                                       bool simplify_trivial_iterators,
                                       ffi::Optional<Analyzer> analyzer) {
  const Analyzer known = analyzer.value_or(Analyzer());
  const IterMapResult found =
      detect_iter_map(indices, domains, predicate, check_level, simplify_trivial_iterators, known);
  ffi::Array<PrimExpr> result;
  for (size_t i = 0; i < indices.size(); ++i) {
    const bool is_map = !found->indices.empty();
    result.push_back(known->Simplify(is_map ? ExprOf(found->indices[i]) : indices[i]));
  }
  return result;
}

}  // namespace uir::arith
