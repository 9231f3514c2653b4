// Offsets of buffers in an arena: regions of sizes of one kind, and gaps within a region.
#include "./arena_plan.h"

#include <tschema/structural_equal.h>
#include <tschema/structural_hash.h>
#include <uir/arith/analyzer.h>
#include <uir/ir/dtype.h>
#include <uir/tir/arith.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/op.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "./storage_plan.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

constexpr DLDataType kInt64 = {kDLInt, 64, 1};
/*! \brief The bytes of a row that are rounded up to the alignment: an eighth at most is lost. */
constexpr int64_t kLargeRow = 8 * kArenaAlignment;
/*! \brief The longest live range whose blocks are found by step. */
constexpr int64_t kShortRange = 64;

int64_t RoundUp(int64_t value, int64_t factor) { return (value + factor - 1) / factor * factor; }

PrimExpr Number(int64_t value) { return ir::IntImm(kInt64, value); }

/*! \brief The blocks that have a place, found by when they are live. */
class PlacedBlocks {
 public:
  void Add(const ArenaBlock* block) {
    if (block->end - block->begin > kShortRange) return long_.push_back(block);
    for (int64_t step = block->begin; step <= block->end; ++step) short_[step].push_back(block);
    all_short_.push_back(block);
  }

  /*! \brief The blocks that are live at the same time as another one, by offset. */
  std::vector<const ArenaBlock*> LiveWith(const ArenaBlock& other) const {
    std::vector<const ArenaBlock*> found;
    const auto add = [&](const ArenaBlock* block) {
      if (block->begin <= other.end && other.begin <= block->end) found.push_back(block);
    };
    for (const ArenaBlock* block : long_) add(block);
    if (static_cast<uint64_t>(other.end - other.begin) > all_short_.size()) {
      for (const ArenaBlock* block : all_short_) add(block);
    } else {
      for (int64_t step = other.begin; step <= other.end; ++step) {
        const auto live = short_.find(step);
        if (live == short_.end()) continue;
        for (const ArenaBlock* block : live->second) add(block);
      }
    }
    std::sort(found.begin(), found.end(), [](const ArenaBlock* a, const ArenaBlock* b) {
      return std::make_pair(a->offset, a) < std::make_pair(b->offset, b);
    });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

 private:
  std::vector<const ArenaBlock*> long_;
  std::vector<const ArenaBlock*> all_short_;
  std::unordered_map<int64_t, std::vector<const ArenaBlock*>> short_;
};

/*! \brief The smallest gap that holds so many units; behind all blocks if there is none. */
int64_t BestGap(const std::vector<const ArenaBlock*>& live, int64_t count) {
  int64_t best = -1;
  int64_t best_size = 0;
  int64_t end = 0;
  for (const ArenaBlock* block : live) {
    const int64_t size = block->offset - end;
    if (size >= count && (best < 0 || size < best_size)) {
      best = end;
      best_size = size;
    }
    end = std::max(end, block->offset + block->count);
  }
  return best < 0 ? end : best;
}

/*! \brief A size: so many times an expression, or so many bytes. */
struct Size {
  int64_t count;
  ffi::Optional<PrimExpr> unit;
};

/*! \brief Computes sizes in canonical form. */
class SizeMaker {
 public:
  Size SizeOf(const tir::Buffer& buffer) {
    int64_t count = ElementBytes(buffer);
    ffi::Optional<PrimExpr> product;
    for (const PrimExpr& extent : buffer->shape) {
      if (const auto* constant = extent.as<ir::IntImmNode>()) {
        count *= constant->value;
        continue;
      }
      const PrimExpr wide = tir::cast(extent, kInt64);
      product = product.has_value() ? tir::mul(product.value(), wide) : wide;
    }
    if (count == 0 || !product.has_value()) return {std::max(count, int64_t{1}), std::nullopt};
    PrimExpr unit = analyzer_->Simplify(product.value());
    while (const auto* factor = unit.as<tir::MulNode>()) {
      const auto* constant = factor->b.as<ir::IntImmNode>();
      if (constant == nullptr || constant->value <= 0) break;
      count *= constant->value;
      unit = PrimExpr(factor->a);
    }
    return {count, unit};
  }

 private:
  arith::Analyzer analyzer_;
};

/*! \brief Buffers whose sizes are multiples of one unit. */
struct Region {
  /*! \brief None for bytes. */
  ffi::Optional<PrimExpr> unit;
  /*! \brief Whether a unit is not a multiple of the alignment, so that their number is rounded. */
  bool is_rounded;
  std::vector<ArenaBlock> blocks;
  std::vector<const tir::BufferNode*> buffers;
};

class RegionMaker {
 public:
  std::vector<Region> Run(const std::vector<ArenaItem>& items) {
    for (const ArenaItem& item : items) {
      Size size = sizes_.SizeOf(item.buffer);
      bool is_rounded = false;
      if (!size.unit.has_value() || size.count >= kLargeRow) {
        size.count = RoundUp(size.count, kArenaAlignment);
      } else {
        is_rounded = size.count % kArenaAlignment != 0;
      }
      Region& region = Find(size.unit, is_rounded);
      region.blocks.push_back({size.count, item.begin, item.end});
      region.buffers.push_back(item.buffer.get());
    }
    for (Region& region : regions_) Align(&region);
    return std::move(regions_);
  }

 private:
  Region& Find(const ffi::Optional<PrimExpr>& unit, bool is_rounded) {
    const uint64_t hash = unit.has_value() ? tschema::StructuralHash(unit.value()) : 0;
    for (const size_t place : places_[hash]) {
      Region& region = regions_[place];
      const bool is_same =
          region.unit.has_value() == unit.has_value() &&
          (!unit.has_value() || tschema::StructuralEqual(region.unit.value(), unit.value()));
      if (is_same && region.is_rounded == is_rounded) return region;
    }
    places_[hash].push_back(regions_.size());
    regions_.push_back({unit, is_rounded, {}, {}});
    return regions_.back();
  }

  /*! \brief Round the unit up, so that each number of units is a multiple of the alignment. */
  static void Align(Region* region) {
    if (!region->is_rounded) return;
    int64_t common = kArenaAlignment;
    for (const ArenaBlock& block : region->blocks) common = std::gcd(common, block.count);
    const int64_t factor = kArenaAlignment / common;
    const PrimExpr more = tir::add(region->unit.value(), Number(factor - 1));
    region->unit = tir::mul(tir::floordiv(more, Number(factor)), Number(factor));
  }

  SizeMaker sizes_;
  std::vector<Region> regions_;
  std::unordered_map<uint64_t, std::vector<size_t>> places_;
};

}  // namespace

int64_t PlaceBlocks(std::vector<ArenaBlock>* blocks) {
  std::vector<ArenaBlock*> order;
  for (ArenaBlock& block : *blocks) order.push_back(&block);
  std::stable_sort(order.begin(), order.end(),
                   [](const ArenaBlock* a, const ArenaBlock* b) { return a->count > b->count; });
  PlacedBlocks placed;
  int64_t peak = 0;
  for (ArenaBlock* block : order) {
    block->offset = BestGap(placed.LiveWith(*block), block->count);
    peak = std::max(peak, block->offset + block->count);
    placed.Add(block);
  }
  return peak;
}

ArenaPlan PlanArena(const std::vector<ArenaItem>& items) {
  ArenaPlan plan{{}, Number(0)};
  for (Region& region : RegionMaker().Run(items)) {
    const int64_t peak = PlaceBlocks(&region.blocks);
    const auto bytes = [&](int64_t count) {
      return region.unit.has_value() ? tir::mul(region.unit.value(), Number(count)) : Number(count);
    };
    for (size_t i = 0; i < region.blocks.size(); ++i) {
      plan.offsets.emplace(region.buffers[i], tir::add(plan.bytes, bytes(region.blocks[i].offset)));
    }
    plan.bytes = tir::add(plan.bytes, bytes(peak));
  }
  return plan;
}

}  // namespace uir::transform
