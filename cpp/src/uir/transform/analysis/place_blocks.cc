// Places blocks in a region: greedily in several orders, until the size is the lower bound.
#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "./arena_bound.h"
#include "./arena_plan.h"

namespace uir::transform {

namespace {

/*! \brief The longest live range of blocks that are indexed by step. */
constexpr int64_t kShortRange = 64;
/*! \brief Larger numbers of blocks are placed only once, the largest block first. */
constexpr size_t kManyBlocks = 1000;
/*! \brief The maximal number of attempts, each with the topmost blocks of the last one first. */
constexpr int kAttempts = 8;

/*! \brief The blocks with an offset, indexed by their live ranges. */
class PlacedBlocks {
 public:
  void Add(const ArenaBlock* block) {
    if (block->end - block->begin > kShortRange) return long_.push_back(block);
    for (int64_t step = block->begin; step <= block->end; ++step) short_[step].push_back(block);
    all_short_.push_back(block);
  }

  /*! \brief The blocks that are live together with another one, by offset. */
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

/*! \brief The offset of the smallest gap of `count` units, or the end of all blocks. */
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

/*! \brief Whether to place a block before another one. */
using IsBefore = bool (*)(const ArenaBlock* a, const ArenaBlock* b);

int64_t Steps(const ArenaBlock* block) { return block->end - block->begin + 1; }

bool IsLarger(const ArenaBlock* a, const ArenaBlock* b) { return a->count > b->count; }

bool IsLonger(const ArenaBlock* a, const ArenaBlock* b) {
  return std::make_pair(Steps(a), a->count) > std::make_pair(Steps(b), b->count);
}

bool IsEarlier(const ArenaBlock* a, const ArenaBlock* b) { return a->begin < b->begin; }

/*! \brief Compare blocks by their area in time and memory. */
bool IsWiderBlock(const ArenaBlock* a, const ArenaBlock* b) {
  return static_cast<double>(a->count) * static_cast<double>(Steps(a)) >
         static_cast<double>(b->count) * static_cast<double>(Steps(b));
}

constexpr std::array<IsBefore, 4> kOrders = {&IsLarger, &IsWiderBlock, &IsLonger, &IsEarlier};

/*! \brief Place each block into the smallest gap between the earlier ones. */
int64_t PlaceInOrder(const std::vector<ArenaBlock*>& order) {
  PlacedBlocks placed;
  int64_t peak = 0;
  for (ArenaBlock* block : order) {
    block->offset = BestGap(placed.LiveWith(*block), block->count);
    peak = std::max(peak, block->offset + block->count);
    placed.Add(block);
  }
  return peak;
}

/*! \brief The smallest region found so far, and the offsets in it. */
struct Best {
  int64_t peak = -1;
  std::vector<int64_t> offsets;

  void Offer(int64_t other, const std::vector<ArenaBlock>& blocks) {
    if (peak >= 0 && other >= peak) return;
    peak = other;
    offsets.clear();
    for (const ArenaBlock& block : blocks) offsets.push_back(block.offset);
  }
};

/*! \brief Try an order several times, and keep the best result; stop at a lower bound. */
void TryOrder(IsBefore is_before, int64_t bound, std::vector<ArenaBlock>* blocks, Best* best) {
  std::vector<ArenaBlock*> order;
  for (ArenaBlock& block : *blocks) order.push_back(&block);
  std::stable_sort(order.begin(), order.end(), is_before);
  const int attempts = blocks->size() > kManyBlocks ? 1 : kAttempts;
  for (int attempt = 0; attempt < attempts && best->peak != bound; ++attempt) {
    const int64_t peak = PlaceInOrder(order);
    best->Offer(peak, *blocks);
    std::stable_partition(order.begin(), order.end(), [&](const ArenaBlock* block) {
      return block->offset + block->count == peak;
    });
  }
}

}  // namespace

int64_t PlaceBlocks(std::vector<ArenaBlock>* blocks) {
  const int64_t bound = LiveUnits(*blocks);
  Best best;
  for (const IsBefore is_before : kOrders) {
    TryOrder(is_before, bound, blocks, &best);
    if (best.peak == bound || blocks->size() > kManyBlocks) break;
  }
  for (size_t i = 0; i < blocks->size(); ++i) (*blocks)[i].offset = best.offsets[i];
  return best.peak;
}

}  // namespace uir::transform
