// Lowering of recurrent layers: a loop over time, whose products and gates are loop nests.
//
// The state is a buffer of its own, which each step overwrites. A step computes the products of all
// gates at once, then each gate where it is used; recipes schedule these nests.
#include <tvm/ffi/cast.h>
#include <uir/ir/dtype.h>
#include <uir/relay/recurrent.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/logic_op.h>
#include <uir/tir/op.h>

#include <utility>

#include "../../relay/recurrent_activation.h"
#include "../../relay/shape_rule.h"
#include "./element_formula.h"
#include "./loops.h"

namespace uir::transform {

namespace {

/*! \brief An activation function, applied to an element. */
class ActivationFormula : public ElementFormula {
 public:
  explicit ActivationFormula(PrimExpr x) : x_(std::move(x)) {}

 protected:
  ffi::Any RunName(const ir::Formula&) override { return x_; }

 private:
  PrimExpr x_;
};

/*! \brief The loops that the recurrent layers share: over time, rows and features. */
class RecurrentLoops {
 public:
  template <typename AttrsNode>
  RecurrentLoops(const OperatorCall& call, const AttrsNode* attrs, size_t lengths,
                 tir::Builder* builder)
      : call_(call),
        builder_(builder),
        activations_(relay::ActivationsOf(attrs)),
        clip_(attrs->clip),
        reverse_(attrs->reverse),
        lengths_(lengths),
        wide_(WideType(call.operand(0).dtype())) {
    for (const Values& operand : call.operands) {
      for (const Value& value : operand) value.StoreIfComputed();
    }
  }

  PrimExpr features() const { return Dim(3); }

  /*! \brief An element of an operand in the data type of computations. */
  PrimExpr Element(size_t operand, const Indices& at) const {
    return WideElement(call_.operand(operand), at);
  }

  /*! \brief A buffer with a row for each row of the state. */
  tir::Buffer Rows(const std::string& name, const PrimExpr& columns) {
    const tir::Buffer buffer = tir::decl_buffer({Dim(1), columns}, wide_, name);
    (*builder_)->Emit(tir::AllocBuffer(buffer));
    return buffer;
  }

  /*! \brief A state, which begins as an operand. */
  tir::Buffer State(const std::string& name, size_t operand) {
    const tir::Buffer state = Rows(name, features());
    Nest(state, [&](const Indices& at) { return Element(operand, at); });
    return state;
  }

  /*! \brief Store an element for each row and feature. */
  void Nest(const tir::Buffer& result, const ElementFunction& element) {
    InLoops(builder_, {Dim(1), features()},
            [&](const Indices& at) { (*builder_)->Store(result, at, element(at)); });
  }

  /*! \brief Run the steps; `step` computes the next state. */
  void OverTime(const std::function<void()>& step) {
    builder_->For("step", Dim(0), [&](const tir::Var& index) {
      const PrimExpr last = tir::sub(Dim(0), IndexIn(1, ir::IntType(64)));
      time_ = reverse_ ? tir::sub(last, index) : PrimExpr(index);
      step();
    });
  }

  /*! \brief The product of a state with columns of the weights, `first` and those behind it. */
  tir::Buffer Product(const std::string& name, const tir::Buffer& state, size_t weight,
                      const PrimExpr& first, const PrimExpr& columns) {
    const tir::Buffer product = Rows(name, columns);
    StoreProduct(
        builder_, product, {Dim(1), columns}, features(),
        [&](const PrimExpr& row, const PrimExpr& k) { return tir::BufferLoad(state, {row, k}); },
        [&](const PrimExpr& k, const PrimExpr& column) {
          return Element(weight, {k, tir::add(column, first)});
        });
    return product;
  }

  /*! \brief A multiple of the number of features: the first column of a gate. */
  PrimExpr Columns(int64_t gate) const {
    return tir::mul(IndexIn(gate, ir::IntType(64)), features());
  }

  /*! \brief The products of the inputs for a gate. */
  PrimExpr Input(int64_t gate, const Indices& at) const {
    return Element(0, {time_, at[0], IndexIn(gate, ir::IntType(64)), at[1]});
  }

  /*! \brief The products of the inputs and of the state for a gate. */
  PrimExpr Gate(const tir::Buffer& product, int64_t gate, const Indices& at) const {
    const Indices place = {at[0], tir::add(at[1], Columns(gate))};
    return tir::add(Input(gate, at), tir::BufferLoad(product, place));
  }

  /*! \brief An activation function of a value. */
  PrimExpr Activated(size_t function, const PrimExpr& value) const {
    const ir::Formula& formula = activations_[function];
    const auto run = [&](const PrimExpr& x) {
      return ActivationFormula(x).Element(formula, wide_);
    };
    return CountOfName(formula, "x") > 1 ? WithVariable(value, run) : run(value);
  }

  /*! \brief An activation function of a value within the bound `clip`. */
  PrimExpr ActivatedInBound(size_t function, const PrimExpr& value) const {
    if (!clip_.has_value()) return Activated(function, value);
    const PrimExpr bound = tir::make_const(clip_.value(), wide_);
    const PrimExpr least = tir::make_const(-clip_.value(), wide_);
    return Activated(function, MaxOrNan(least, MinOrNan(value, bound)));
  }

  /*! \brief The next value of a row at its steps; after them, another value. */
  PrimExpr AtSteps(const Indices& at, const PrimExpr& next, const PrimExpr& after) const {
    if (!call_.Has(lengths_)) return next;
    const PrimExpr length = call_.operand(lengths_).At({at[0]});
    // Lengths of uint64 may exceed int64.
    const DLDataType wide = length->dtype.code == kDLUInt ? ir::UIntType(64) : ir::IntType(64);
    const PrimExpr has_step = tir::less(tir::cast(time_, wide), tir::cast(length, wide));
    return tir::select(has_step, next, after);
  }

  /*! \brief Store the state as the result at this time. */
  void StoreState(const tir::Buffer& results, const tir::Buffer& state) {
    InLoops(builder_, {Dim(1), features()}, [&](const Indices& at) {
      const PrimExpr value = AtSteps(at, tir::BufferLoad(state, at), tir::make_const(0, wide_));
      (*builder_)->Store(results, {time_, at[0], at[1]}, tir::cast(value, results->dtype));
    });
  }

  /*! \brief Store a last state. */
  void StoreLast(const tir::Buffer& result, const tir::Buffer& state) {
    Nest(result,
         [&](const Indices& at) { return tir::cast(tir::BufferLoad(state, at), result->dtype); });
  }

 private:
  PrimExpr Dim(int64_t axis) const { return WideIndex(call_.operand(0).shape()[axis]); }

  const OperatorCall& call_;
  tir::Builder* builder_;
  std::vector<ir::Formula> activations_;
  ffi::Optional<double> clip_;
  bool reverse_;
  /*! \brief The index of the operand `lengths`. */
  size_t lengths_;
  DLDataType wide_;
  /*! \brief The time of the step that is being built. */
  PrimExpr time_{ffi::UnsafeInit{}};
};

PrimExpr OneMinus(const PrimExpr& x) { return tir::sub(tir::make_const(1, x->dtype), x); }

void BuildRnn(const OperatorCall& call, tir::Builder* builder,
              const std::vector<tir::Buffer>& outputs) {
  RecurrentLoops loops(call, relay::AttrsOf<relay::RnnAttrsNode>(call.call), 3, builder);
  const tir::Buffer hidden = loops.State("hidden", 1);
  loops.OverTime([&] {
    const tir::Buffer product =
        loops.Product("product", hidden, 2, loops.Columns(0), loops.Columns(1));
    loops.Nest(hidden, [&](const Indices& at) {
      const PrimExpr next = loops.ActivatedInBound(0, loops.Gate(product, 0, at));
      return loops.AtSteps(at, next, tir::BufferLoad(hidden, at));
    });
    loops.StoreState(outputs[0], hidden);
  });
  loops.StoreLast(outputs[1], hidden);
}

/*! \brief Builds a step of gated recurrent units. */
class GruStep {
 public:
  GruStep(const OperatorCall& call, tir::Builder* builder)
      : loops_(call, relay::AttrsOf<relay::GruAttrsNode>(call.call), 4, builder),
        reset_after_(relay::AttrsOf<relay::GruAttrsNode>(call.call)->reset_after),
        has_bias_(call.Has(3)),
        hidden_(loops_.State("hidden", 1)) {}

  void Run(const std::vector<tir::Buffer>& outputs) {
    loops_.OverTime([&] {
      Step();
      loops_.StoreState(outputs[0], hidden_);
    });
    loops_.StoreLast(outputs[1], hidden_);
  }

 private:
  enum Gates : int64_t { kUpdate, kReset, kCandidate, kNumGates };

  void Step() {
    const int64_t num_gates = reset_after_ ? kNumGates : kCandidate;
    const tir::Buffer product =
        loops_.Product("product", hidden_, 2, loops_.Columns(0), loops_.Columns(num_gates));
    const tir::Buffer candidate = reset_after_ ? ResetAfter(product) : ResetBefore(product);
    loops_.Nest(hidden_, [&](const Indices& at) {
      const PrimExpr before = tir::BufferLoad(hidden_, at);
      const PrimExpr gate = loops_.ActivatedInBound(0, loops_.Gate(product, kUpdate, at));
      const PrimExpr next = WithVariable(gate, [&](const PrimExpr& update) {
        return tir::add(tir::mul(OneMinus(update), tir::BufferLoad(candidate, at)),
                        tir::mul(update, before));
      });
      return loops_.AtSteps(at, next, before);
    });
  }

  PrimExpr Reset(const tir::Buffer& product, const Indices& at) {
    return loops_.ActivatedInBound(0, loops_.Gate(product, kReset, at));
  }

  /*! \brief The candidates, from the product of the state that the reset gate has scaled. */
  tir::Buffer ResetBefore(const tir::Buffer& product) {
    const tir::Buffer scaled = loops_.Rows("scaled", loops_.features());
    loops_.Nest(scaled, [&](const Indices& at) {
      return tir::mul(Reset(product, at), tir::BufferLoad(hidden_, at));
    });
    const tir::Buffer candidate = loops_.Product("candidate_product", scaled, 2,
                                                 loops_.Columns(kCandidate), loops_.Columns(1));
    return Candidate([&](const Indices& at) { return tir::BufferLoad(candidate, at); });
  }

  /*! \brief The candidates, whose product with the state the reset gate scales. */
  tir::Buffer ResetAfter(const tir::Buffer& product) {
    return Candidate([&](const Indices& at) {
      const Indices place = {at[0], tir::add(at[1], loops_.Columns(kCandidate))};
      PrimExpr sum = tir::BufferLoad(product, place);
      if (has_bias_) sum = tir::add(sum, loops_.Element(3, {at[1]}));
      return tir::mul(Reset(product, at), sum);
    });
  }

  /*! \brief The candidates for some products with the state. */
  tir::Buffer Candidate(const ElementFunction& product) {
    const tir::Buffer candidate = loops_.Rows("candidate", loops_.features());
    loops_.Nest(candidate, [&](const Indices& at) {
      return loops_.ActivatedInBound(1, tir::add(loops_.Input(kCandidate, at), product(at)));
    });
    return candidate;
  }

  RecurrentLoops loops_;
  bool reset_after_;
  bool has_bias_;
  tir::Buffer hidden_;
};

/*! \brief Builds a step of long short-term memory. */
class LstmStep {
 public:
  LstmStep(const OperatorCall& call, tir::Builder* builder)
      : loops_(call, relay::AttrsOf<relay::LstmAttrsNode>(call.call), 5, builder),
        input_forget_(relay::AttrsOf<relay::LstmAttrsNode>(call.call)->input_forget),
        has_peephole_(call.Has(4)),
        hidden_(loops_.State("hidden", 1)),
        cell_(loops_.State("cell", 2)) {}

  void Run(const std::vector<tir::Buffer>& outputs) {
    loops_.OverTime([&] {
      Step();
      loops_.StoreState(outputs[0], hidden_);
    });
    loops_.StoreLast(outputs[1], hidden_);
    loops_.StoreLast(outputs[2], cell_);
  }

 private:
  enum Gates : int64_t { kInput, kOutput, kForget, kCandidate, kNumGates };

  void Step() {
    const tir::Buffer product =
        loops_.Product("product", hidden_, 3, loops_.Columns(0), loops_.Columns(kNumGates));
    loops_.Nest(cell_, [&](const Indices& at) {
      const PrimExpr before = tir::BufferLoad(cell_, at);
      return loops_.AtSteps(at, NextCell(product, at), before);
    });
    loops_.Nest(hidden_, [&](const Indices& at) {
      const PrimExpr next =
          tir::mul(Gate(product, kOutput, at), loops_.Activated(2, tir::BufferLoad(cell_, at)));
      return loops_.AtSteps(at, next, tir::BufferLoad(hidden_, at));
    });
  }

  /*! \brief A gate that sees the memory by its peephole. */
  PrimExpr Gate(const tir::Buffer& product, int64_t gate, const Indices& at) {
    PrimExpr sum = loops_.Gate(product, gate, at);
    if (has_peephole_) {
      const PrimExpr weight = loops_.Element(4, {IndexIn(gate, ir::IntType(64)), at[1]});
      sum = tir::add(sum, tir::mul(weight, tir::BufferLoad(cell_, at)));
    }
    return loops_.ActivatedInBound(0, sum);
  }

  PrimExpr NextCell(const tir::Buffer& product, const Indices& at) {
    return WithVariable(Gate(product, kInput, at), [&](const PrimExpr& input) {
      const PrimExpr forget = input_forget_ ? OneMinus(input) : Gate(product, kForget, at);
      const PrimExpr candidate = loops_.ActivatedInBound(1, loops_.Gate(product, kCandidate, at));
      return tir::add(tir::mul(forget, tir::BufferLoad(cell_, at)), tir::mul(input, candidate));
    });
  }

  RecurrentLoops loops_;
  bool input_forget_;
  bool has_peephole_;
  tir::Buffer hidden_;
  tir::Buffer cell_;
};

using Outputs = std::vector<tir::Buffer>;

Values LowerRnn(const OperatorCall& call) {
  return StoreInLoops(
      call.Name(), call.results,
      [&](tir::Builder* builder, const Outputs& outputs) { BuildRnn(call, builder, outputs); });
}

/*! \brief Lower a layer by the class that builds its steps. */
template <typename Step>
Values LowerSteps(const OperatorCall& call) {
  return StoreInLoops(
      call.Name(), call.results,
      [&](tir::Builder* builder, const Outputs& outputs) { Step(call, builder).Run(outputs); });
}

TVM_FFI_STATIC_INIT_BLOCK() {
  RegisterLowering("relay.rnn", &LowerRnn);
  RegisterLowering("relay.gru", &LowerSteps<GruStep>);
  RegisterLowering("relay.lstm", &LowerSteps<LstmStep>);
}

}  // namespace

}  // namespace uir::transform
