// Stages of statements, built by the builder of tir.
#include "./loops.h"

#include <uir/ir/dtype.h>
#include <uir/tir/arith_op.h>
#include <uir/tir/op.h>

namespace uir::transform {

Values StoreInLoops(const std::string& name, const std::vector<ir::TensorType>& outputs,
                    const StageFunction& body) {
  std::vector<tir::Buffer> buffers;
  for (const ir::TensorType& type : outputs) {
    buffers.push_back(tir::decl_buffer(type->shape, type->dtype, name));
  }
  tir::Builder builder;
  body(&builder, buffers);
  const te::ExternOp op(name, {}, {buffers.begin(), buffers.end()}, {}, builder->Body());
  Values values;
  for (size_t i = 0; i < outputs.size(); ++i) {
    values.emplace_back(te::Tensor(op, static_cast<int32_t>(i)));
  }
  return values;
}

void InLoops(tir::Builder* builder, const Indices& extents,
             const std::function<void(const Indices&)>& body) {
  const std::function<void(const Indices&)> run = [&](const Indices& indices) {
    if (indices.size() == extents.size()) return body(indices);
    const std::string name = "i" + std::to_string(indices.size());
    builder->For(name, extents[static_cast<int64_t>(indices.size())], [&](const tir::Var& var) {
      Indices next = indices;
      next.push_back(var);
      run(next);
    });
  };
  run({});
}

void StoreProduct(tir::Builder* builder, const tir::Buffer& result, const Indices& shape,
                  const PrimExpr& sum, const MatrixElement& a, const MatrixElement& b) {
  InLoops(builder, shape, [&](const Indices& at) {
    (*builder)->Store(result, at, tir::make_const(0, result->dtype));
    builder->For("k", sum, [&](const tir::Var& k) {
      const PrimExpr product = tir::mul(a(at[0], k), b(k, at[1]));
      (*builder)->Store(result, at, tir::add(tir::BufferLoad(result, at), product));
    });
  });
}

tir::Var BindValue(tir::Builder* builder, const std::string& name, const PrimExpr& value) {
  const tir::Var var(name, value->dtype);
  (*builder)->Emit(tir::Bind(var, value));
  return var;
}

tir::Buffer LocalScalar(tir::Builder* builder, const std::string& name, DLDataType dtype) {
  const tir::Buffer buffer = tir::decl_buffer({IndexIn(1, ir::IntType(32))}, dtype, name);
  (*builder)->Emit(tir::AllocBuffer(buffer));
  return buffer;
}

PrimExpr Load(const tir::Buffer& scalar) {
  return tir::BufferLoad(scalar, {IndexIn(0, ir::IntType(32))});
}

void StoreScalar(tir::Builder* builder, const tir::Buffer& scalar, const PrimExpr& value) {
  (*builder)->Store(scalar, {IndexIn(0, ir::IntType(32))}, value);
}

}  // namespace uir::transform
