//! What `build` and `lower` take: a module or a function as it is.

use tschema::{OneOf3, Union};
use tvm_ffi::object::ObjectRef;
use tvm_ffi::Array;

use crate::ir::{BaseFunc, IRModule};
use crate::relay::Function;
use crate::tir::PrimFunc;

/// A module, a function, or the tensors and variables that are the parameters of one.
pub type Program = Union<(IRModule, BaseFunc, Array<ObjectRef>)>;

impl From<IRModule> for Program {
    fn from(module: IRModule) -> Self {
        Self::from(OneOf3::First(module))
    }
}

impl From<BaseFunc> for Program {
    fn from(func: BaseFunc) -> Self {
        Self::from(OneOf3::Second(func))
    }
}

impl From<PrimFunc> for Program {
    fn from(func: PrimFunc) -> Self {
        Self::from(BaseFunc::from(func))
    }
}

impl From<Function> for Program {
    fn from(func: Function) -> Self {
        Self::from(BaseFunc::from(func))
    }
}
