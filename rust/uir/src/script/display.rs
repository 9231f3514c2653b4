//! `Display` of nodes: their script, as `str(node)` of Python is.

use std::fmt;

use tvm_ffi::Any;

use crate::ir::{BaseFunc, IRModule};
use crate::script::script;

/// Write a node as script, with its free variables declared if it is a module or a function; as
/// `Debug` does, if it contains itself.
fn write<T>(node: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result
where
    T: Clone + Into<Any> + fmt::Debug,
{
    let value: Any = node.clone().into();
    let declarations =
        IRModule::try_from(value.clone()).is_ok() || BaseFunc::try_from(value).is_ok();
    match script::print(node.clone(), true, declarations) {
        Ok(text) => f.write_str(text.as_str()),
        Err(_) => fmt::Debug::fmt(node, f),
    }
}

macro_rules! display {
    ($module:ident: $($name:ident),* $(,)?) => { $(
        impl fmt::Display for crate::$module::$name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write(self, f)
            }
        }
    )* };
}

display! { ir:
    BaseExpr, BaseFunc, ExternFunc, FloatImm, FuncType, GlobalVar, IRModule, IntImm, Op,
    PointerType, PrimExpr, PrimType, Range, RelayExpr, StringImm, TensorType, TupleType, Type,
}

display! { tir:
    Add, AllocBuffer, And, AssertStmt, AttrStmt, BinaryOp, Bind, Block, BlockRealize, Break,
    Broadcast, BufferLoad, BufferRegion, BufferStore, Call, Cast, CmpOp, Continue, DeclBuffer,
    Div, EQ, Evaluate, FloorDiv, FloorMod, For, GE, GT, IfThenElse, LE, LT, Let, LogicalOp, Max,
    Min, Mod, Mul, NE, Not, Or, PrimFunc, ProducerLoad, Ramp, Reduce, Select, SeqStmt, Shuffle,
    SizeVar, Stmt, Sub, Var, While,
}

display! { relay:
    Call, Constant, Function, If, Tuple, TupleGetItem, Var, While,
}
