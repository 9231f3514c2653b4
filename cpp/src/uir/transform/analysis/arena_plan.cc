// Offsets of buffers in an arena: a region for each unit of sizes, and gaps within a region.
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

#include "./arena_bound.h"
#include "./storage_plan.h"

namespace uir::transform {

namespace {

using ir::PrimExpr;

/*! \brief Rows of at least this many bytes are aligned, which wastes at most an eighth. */
constexpr int64_t kLargeRow = 8 * kArenaAlignment;
int64_t RoundUp(int64_t value, int64_t factor) { return (value + factor - 1) / factor * factor; }

PrimExpr SizeNumber(int64_t value) { return ir::IntImm(ir::IntType(64), value); }

/*! \brief A size: `count` times `unit`, or `count` bytes without a unit. */
struct KnownSize {
  int64_t count;
  ffi::Optional<PrimExpr> unit;
};

/*! \brief Computes sizes in canonical form. */
class SizeMaker {
 public:
  KnownSize SizeOf(const tir::Buffer& buffer) {
    int64_t count = ElementBytes(buffer);
    ffi::Optional<PrimExpr> product;
    for (const PrimExpr& extent : buffer->shape) {
      if (const auto* constant = extent.as<ir::IntImmNode>()) {
        count *= constant->value;
        continue;
      }
      const PrimExpr wide = tir::cast(extent, ir::IntType(64));
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

/*! \brief Buffers whose sizes are multiples of the same unit. */
struct Region {
  /*! \brief The unit of sizes; None for bytes. */
  ffi::Optional<PrimExpr> unit;
  /*! \brief Whether the unit is not a multiple of the alignment, so that counts are rounded up. */
  bool is_rounded;
  std::vector<ArenaBlock> blocks;
  std::vector<const tir::BufferNode*> buffers;
};

class RegionMaker {
 public:
  std::vector<Region> Run(const std::vector<ArenaItem>& items) {
    for (const ArenaItem& item : items) {
      KnownSize size = sizes_.SizeOf(item.buffer);
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

  /*! \brief Round up the unit, so that every multiple of it is aligned. */
  static void Align(Region* region) {
    if (!region->is_rounded) return;
    int64_t common = kArenaAlignment;
    for (const ArenaBlock& block : region->blocks) common = std::gcd(common, block.count);
    const int64_t factor = kArenaAlignment / common;
    const PrimExpr more = tir::add(region->unit.value(), SizeNumber(factor - 1));
    region->unit = tir::mul(tir::floordiv(more, SizeNumber(factor)), SizeNumber(factor));
  }

  SizeMaker sizes_;
  std::vector<Region> regions_;
  std::unordered_map<uint64_t, std::vector<size_t>> places_;
};

}  // namespace

ArenaPlan PlanArena(const std::vector<ArenaItem>& items) {
  ArenaPlan plan{{}, SizeNumber(0), SizeNumber(0)};
  std::vector<LiveRegion> live;
  for (Region& region : RegionMaker().Run(items)) {
    const int64_t peak = PlaceBlocks(&region.blocks);
    const auto bytes = [&](int64_t count) {
      return region.unit.has_value() ? tir::mul(region.unit.value(), SizeNumber(count))
                                     : SizeNumber(count);
    };
    for (size_t i = 0; i < region.blocks.size(); ++i) {
      plan.offsets.emplace(region.buffers[i], tir::add(plan.bytes, bytes(region.blocks[i].offset)));
    }
    plan.bytes = tir::add(plan.bytes, bytes(peak));
    live.push_back({bytes(1), std::move(region.blocks)});
  }
  plan.live_bytes = LiveBytes(live);
  return plan;
}

}  // namespace uir::transform
