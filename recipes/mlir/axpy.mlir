// result[i] = 2 x[i] + y[i], for n elements.
func.func @axpy(%x: !llvm.ptr, %y: !llvm.ptr, %result: !llvm.ptr, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2.0 : f32
  scf.for %i = %zero to %n step %one : i64 {
    %x_i = llvm.getelementptr %x[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %y_i = llvm.getelementptr %y[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %result_i = llvm.getelementptr %result[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %a = llvm.load %x_i : !llvm.ptr -> f32
    %b = llvm.load %y_i : !llvm.ptr -> f32
    %scaled = arith.mulf %a, %two : f32
    %sum = arith.addf %scaled, %b : f32
    llvm.store %sum, %result_i : f32, !llvm.ptr
  }
  return
}
