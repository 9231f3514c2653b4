//! Each operator of relay, called once.

use tvm_ffi::{Any, Array, DLDataType, DLDataTypeExt, Result, String};
use uir::ir::RelayExpr;
use uir::relay;

include!(concat!(env!("OUT_DIR"), "/operator_calls.rs"));
