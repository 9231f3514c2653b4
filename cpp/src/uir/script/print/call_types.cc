// The data type that a call has where the text states none.
#include "./call_types.h"

#include <uir/ir/dtype.h>
#include <uir/ir/op.h>
#include <uir/ir/operator_table.h>
#include <uir/tir/opaque_intrinsic.h>
#include <uir/tir/operator_result.h>

#include <optional>
#include <string_view>
#include <utility>

namespace uir::script {

namespace {

bool IsTest(std::string_view name) { return name == "tir.all" || name == "tir.any"; }

/*! \brief The data type of results of intrinsics that do not have that of their first argument. */
std::optional<DLDataType> ResultType(std::string_view name) {
  static constexpr std::pair<std::string_view, DLDataType> kTypes[] = {
      {"tir.call_packed", ir::IntType(32)},
      {"tir.lookup_param", ir::kHandle},
      {"tir.tvm_fill_fragment", ir::kHandle},
      {"tir.tvm_load_matrix_sync", ir::kHandle},
      {"tir.tvm_mma_sync", ir::kHandle},
      {"tir.tvm_bmma_sync", ir::kHandle},
      {"tir.tvm_store_matrix_sync", ir::kHandle},
      {"tir.tvm_stack_alloca", ir::kHandle},
      {"tir.tvm_stack_make_array", ir::kHandle},
      {"tir.tvm_stack_make_shape", ir::kHandle},
      {"tir.tvm_thread_allreduce", ir::kHandle},
      {"tir.tvm_tuple", ir::kHandle},
      {"tir.tvm_struct_set", ir::IntType(32)},
      {"tir.tvm_call_packed", ir::IntType(32)},
      {"tir.tvm_call_cpacked", ir::IntType(32)},
      {"tir.tvm_call_packed_lowered", ir::IntType(32)},
      {"tir.tvm_call_cpacked_lowered", ir::IntType(32)},
      {"tir.vscale", ir::IntType(32)},
      {"tir.tvm_warp_activemask", ir::UIntType(32)},
  };
  for (const auto& [known, dtype] : kTypes) {
    if (known == name) return dtype;
  }
  return std::nullopt;
}

}  // namespace

std::optional<DLDataType> DefaultCallType(const ir::RelayExpr& callee,
                                          const ffi::Array<ir::PrimExpr>& args) {
  const std::optional<ir::Op> op = callee.as<ir::Op>();
  if (!op) return ir::kVoid;
  const std::string_view name((*op)->name.data(), (*op)->name.size());
  if (const std::optional<DLDataType> dtype = ResultType(name)) return *dtype;
  const ir::OperatorRow* row = ir::FindOperatorRow(*op);
  // The results of other operators are tensors.
  if (row != nullptr && ir::op_attr(*op, "relation") == nullptr) {
    return tir::ResultTypeOf(*row, args);
  }
  if (args.empty()) return ir::kVoid;
  if (IsTest(name)) return ir::WithLanes(ir::BoolType(), ir::LanesOf(args[0]->dtype));
  const bool is_second = name.substr(0, 20) == "tir.tvm_warp_shuffle";
  if (is_second && args.size() > 1) return args[1]->dtype;
  return args[0]->dtype;
}

bool StatesType(const tir::CallNode* call) {
  if (DefaultCallType(call->op, call->args) != call->dtype) return true;
  const auto* op = call->op.as<ir::OpNode>();
  if (op == nullptr || call->args.size() < 2) return false;
  // The reader takes a leading string of these for the data type.
  if (call->args[0].as<ir::StringImmNode>() == nullptr) return false;
  const std::string_view name(op->name.data(), op->name.size());
  return name == "tir.call_extern" || name == "tir.call_pure_extern" ||
         tir::IsOpaqueIntrinsic(name);
}

}  // namespace uir::script
