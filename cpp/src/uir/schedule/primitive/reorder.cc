// Loops in another order.
#include <uir/ir/dtype.h>
#include <uir/ir/node_error.h>
#include <uir/schedule/primitive.h>
#include <uir/tir/op.h>
#include <uir/transform/substitute.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "../classify.h"
#include "./dependence.h"
#include "./loop_place.h"

namespace uir::schedule {

namespace {

/*! \brief Nested loops, each the whole body of the previous one but with statements before one. */
struct Chain {
  std::vector<tir::For> outer;
  std::vector<tir::For> loops;
  /*! \brief Statements before one of the loops, and the number of loops around them. */
  std::vector<tir::Stmt> before;
  size_t before_depth = 0;
  /*! \brief The body of the innermost loop. */
  tir::Stmt body{ffi::UnsafeInit{}};
};

/*! \brief An order of loops, as places in the old one. */
using Order = std::vector<size_t>;

constexpr size_t kMostLoops = 8;

/*! \brief The sign of the first distance that is not zero, of the loops in an order. */
int FirstSign(const std::vector<Direction>& directions, const Order& order, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (directions[order[i]] != Direction::kSame) return static_cast<int>(directions[order[i]]);
  }
  return 0;
}

Order Plain(size_t count) {
  Order order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

/*! \brief Take the loops from the outermost of some to the innermost. */
Chain ChainOf(const LoopPlace& outermost, const std::vector<tir::For>& named) {
  Chain chain;
  chain.outer = outermost.outer;
  tir::For loop = outermost.loop;
  size_t left = named.size();
  while (true) {
    chain.loops.push_back(loop);
    chain.body = loop->body;
    const auto is_it = [&](const tir::For& one) { return one.same_as(loop); };
    if (std::any_of(named.begin(), named.end(), is_it)) --left;
    if (left == 0) return chain;
    const auto* sequence = loop->body.as<tir::SeqStmtNode>();
    const tir::Stmt last = sequence == nullptr ? loop->body : sequence->seq.back();
    const auto next = last.as<tir::For>();
    const bool is_plain_start =
        sequence == nullptr ||
        (chain.before.empty() &&
         std::all_of(sequence->seq.begin(), sequence->seq.end(), [](const tir::Stmt& one) {
           return one.as<tir::BufferStoreNode>() != nullptr || one.as<tir::ForNode>() != nullptr;
         }));
    if (!next || !is_plain_start) {
      ir::ThrowAt(loop->body, "ValueError",
                  "the loops are not nested in each other: this stands in `" +
                      std::string(loop->loop_var->name) + "`, beside or around the next loop");
    }
    if (sequence != nullptr) {
      chain.before.assign(sequence->seq.begin(), sequence->seq.end() - 1);
      chain.before_depth = chain.loops.size();
    }
    loop = *next;
  }
}

class OrderCheck {
 public:
  OrderCheck(const tir::PrimFunc& func, const Chain& chain, const Order& order, bool reassociate)
      : chain_(chain),
        order_(order),
        reassociate_(reassociate),
        accesses_(AccessesOf(chain.loops[0])),
        test_(func, chain.outer, accesses_) {}

  void Run() {
    if (accesses_.opaque) {
      ir::ThrowAt(*accesses_.opaque, "ValueError",
                  "the loops cannot change places: this may have effects that depend on the order");
    }
    CheckExtents();
    for (size_t i = 0; i < accesses_.all.size(); ++i) {
      for (size_t j = i; j < accesses_.all.size(); ++j) {
        CheckPair(accesses_.all[i], accesses_.all[j]);
      }
    }
  }

 private:
  /*! \brief Check that no loop's range depends on the variable of another one of the loops. */
  void CheckExtents() const {
    for (const tir::For& loop : chain_.loops) {
      VarSet used = VarsOf(loop->min);
      used.merge(VarsOf(loop->extent));
      if (!UsesAny(used, chain_.loops)) continue;
      ir::ThrowAt(loop, "ValueError",
                  "the range of `" + std::string(loop->loop_var->name) +
                      "` depends on another one of the loops");
    }
  }

  /*! \brief The loops of the chain around an access. */
  size_t DepthOf(const Access& access) const {
    size_t depth = 0;
    while (depth < chain_.loops.size() && depth < access.loops.size() &&
           access.loops[depth].same_as(chain_.loops[depth])) {
      ++depth;
    }
    return depth;
  }

  void CheckPair(const Access& a, const Access& b) const {
    if (!a.is_store && !b.is_store) return;
    const bool is_one_update =
        a.store != nullptr && a.store == b.store && a.buffer.same_as(b.buffer) && IsUpdate(a.store);
    const bool is_exact = !ir::IsFloat(a.buffer->dtype);
    if (is_one_update && (is_exact || reassociate_)) return;
    const size_t depth = std::min(DepthOf(a), DepthOf(b));
    // If one access is before the inner loops, compare by the common loops that stay outermost.
    const bool is_mixed = DepthOf(a) != DepthOf(b);
    const Order inner = OrderOf(depth, is_mixed);
    const std::vector<tir::For> loops(chain_.loops.begin(), chain_.loops.begin() + depth);
    std::vector<Direction> directions(depth, Direction::kEarlier);
    do {
      const int before = FirstSign(directions, Plain(depth), depth);
      int after = FirstSign(directions, inner, inner.size());
      // Within an iteration, the access before the inner loop runs first.
      const int tie = DepthOf(a) < DepthOf(b) ? 1 : -1;
      const int was = before == 0 && is_mixed ? tie : before;
      if (after == 0 && is_mixed) after = tie;
      if (was == after || (before == 0 && !is_mixed)) continue;
      if (test_.MayConflict(a, b, loops, directions)) Refuse(a, b, is_one_update);
    } while (Next(&directions));
  }

  /*! \brief The new order of the outer `depth` loops; only those before any other, if mixed. */
  Order OrderOf(size_t depth, bool is_mixed) const {
    Order made;
    for (const size_t place : order_) {
      if (place < depth) {
        made.push_back(place);
      } else if (is_mixed) {
        break;
      }
    }
    return made;
  }

  static bool Next(std::vector<Direction>* directions) {
    for (Direction& one : *directions) {
      if (one != Direction::kLater) {
        one = static_cast<Direction>(static_cast<int>(one) + 1);
        return true;
      }
      one = Direction::kEarlier;
    }
    return false;
  }

  [[noreturn]] static void Refuse(const Access& a, const Access& b, bool is_update) {
    const Access& stored = a.is_store ? a : b;
    const std::string name = "`" + std::string(stored.buffer->name) + "`";
    std::string why = "the loops cannot change places: iterations that " +
                      std::string(a.is_store && b.is_store ? "store to" : "store and load") +
                      " one element of " + name + " would run in another order";
    if (is_update) {
      why += "; a result of floating-point numbers depends on it. `reassociate=True` allows that";
    }
    ir::ThrowAt(stored.node, "ValueError", why);
  }

  const Chain& chain_;
  const Order& order_;
  bool reassociate_;
  Accesses accesses_;
  DependenceTest test_;
};

/*! \brief A loop of the chain around a statement. */
tir::Stmt Around(const tir::ForNode* loop, const tir::Var& var, tir::Stmt body) {
  ffi::Map<ffi::String, ffi::Any> annotations = loop->annotations;
  annotations.erase(kByHand);  // It belongs to the outermost loop.
  return tir::For(var, loop->min, loop->extent, loop->kind, std::move(body), loop->thread_binding,
                  annotations, loop->step, loop->span);
}

tir::Stmt InOrder(const Chain& chain, const Order& order, size_t from, tir::Stmt stmt) {
  for (size_t i = order.size(); i-- > from;) {
    const tir::ForNode* loop = chain.loops[order[i]].get();
    stmt = Around(loop, loop->loop_var, stmt);
  }
  return stmt;
}

/*! \brief The same with variables of other names. */
tir::Stmt InOwnLoops(const Chain& chain, const Order& order, size_t from, tir::Stmt stmt) {
  for (size_t i = order.size(); i-- > from;) {
    const tir::ForNode* loop = chain.loops[order[i]].get();
    const tir::Var var(loop->loop_var->name + "_start", loop->loop_var->dtype);
    stmt = Around(loop, var, transform::Substitute(stmt, {{loop->loop_var, var}}));
  }
  return stmt;
}

/*! \brief The nest in the new order; statements before a loop get their own loops if necessary. */
tir::Stmt Reordered(const Chain& chain, const Order& order) {
  size_t shared = 0;
  while (shared < order.size() && order[shared] < chain.before_depth) ++shared;
  if (chain.before.empty()) return InOrder(chain, order, 0, chain.body);
  Order own;
  for (const size_t place : order) {
    if (place < chain.before_depth) own.push_back(place);
  }
  const tir::Stmt start = InOwnLoops(chain, own, shared, tir::flatten_seq(chain.before));
  const tir::Stmt rest = InOrder(chain, order, shared, chain.body);
  const tir::Stmt both = tir::flatten_seq({start, rest});
  return InOrder(chain, Order(order.begin(), order.begin() + static_cast<ptrdiff_t>(shared)), 0,
                 both);
}

/*! \brief The old places of the loops in their new order: only the named loops change places. */
Order OrderOf(const Chain& chain, const std::vector<tir::For>& named) {
  const auto place_of = [&](const tir::For& loop) {
    const auto is_it = [&](const tir::For& one) { return one.same_as(loop); };
    return static_cast<size_t>(std::find_if(chain.loops.begin(), chain.loops.end(), is_it) -
                               chain.loops.begin());
  };
  Order wanted, sorted;
  for (const tir::For& loop : named) wanted.push_back(place_of(loop));
  sorted = wanted;
  std::sort(sorted.begin(), sorted.end());
  Order order = Plain(chain.loops.size());
  for (size_t i = 0; i < sorted.size(); ++i) order[sorted[i]] = wanted[i];
  return order;
}

std::vector<LoopPlace> PlacesOfLoops(const tir::PrimFunc& func, const ffi::Array<LoopName>& names) {
  std::vector<LoopPlace> places;
  for (const LoopName& name : names) places.push_back(FindLoop(func, name));
  for (size_t i = 0; i < places.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (!places[i].loop.same_as(places[j].loop)) continue;
      ir::ThrowAt(places[i].loop, "ValueError",
                  "`" + std::string(places[i].loop->loop_var->name) + "` is named twice");
    }
  }
  return places;
}

}  // namespace

tir::PrimFunc reorder(tir::PrimFunc func, ffi::Array<LoopName> loops, bool reassociate) {
  return RunPrimitive("schedule.reorder", func, [&](const tir::PrimFunc& one) {
    const std::vector<LoopPlace> places = PlacesOfLoops(one, loops);
    if (places.size() < 2) return one;
    const auto is_outside = [](const LoopPlace& a, const LoopPlace& b) {
      return a.outer.size() < b.outer.size();
    };
    const LoopPlace outermost = *std::min_element(places.begin(), places.end(), is_outside);
    std::vector<tir::For> named;
    for (const LoopPlace& place : places) named.push_back(place.loop);
    const Chain chain = ChainOf(outermost, named);
    if (chain.loops.size() > kMostLoops) {
      ir::ThrowAt(outermost.loop, "ValueError",
                  "at most " + std::to_string(kMostLoops) + " loops change places at once, got " +
                      std::to_string(chain.loops.size()));
    }
    const Order order = OrderOf(chain, named);
    OrderCheck(one, chain, order, reassociate).Run();
    return WithLoop(one, outermost.loop, Reordered(chain, order));
  });
}

}  // namespace uir::schedule
