//! Each operator of relay, called once.

use tvm_ffi::{Any, AnyView, Array, DLDataType, DLDataTypeExt, Function, Result, String};
use uir::ir::RelayExpr;
use uir::relay;

include!(concat!(env!("OUT_DIR"), "/operator_calls.rs"));

/// Call the global function of an operator which is only data.
pub fn call_global(name: String, operands: Array<Any>) -> Result<RelayExpr> {
    let operands: Vec<Any> = operands.iter().collect();
    let views: Vec<AnyView> = operands.iter().map(AnyView::from).collect();
    Function::get_global(name.as_str())?
        .call_packed(&views)?
        .try_into()
}
