//! A compiler core in which C++, Python and Rust share every node as one object.
//!
//! libuir owns the nodes: it defines their layout, constructs them, checks their operands and
//! destroys them. Call [`init`] first; it checks that the library is loaded and matches this crate.
//!
//! ```
//! use uir::ffi::{DLDataType, DLDataTypeCode};
//! use uir::ir::IntImm;
//! use uir::tir::{Add, Var};
//!
//! # fn main() -> uir::ffi::Result<()> {
//! uir::init()?;
//! let int32 = DLDataType::new(DLDataTypeCode::kDLInt, 32, 1);
//! let x = Var::builder("x").dtype(int32).build()?;
//! let sum = Add::builder(x, IntImm::builder(int32, 1).build()?).build()?;
//! assert_eq!(sum.dtype, int32);
//! # Ok(())
//! # }
//! ```
//!
//! Only the owner constructs nodes: their fields are public, but a struct expression does not
//! compile.
//!
//! ```compile_fail,E0451
//! let dtype = uir::ffi::DLDataType { code: 0, bits: 32, lanes: 1 };
//! let parent = uir::ir::PrimExprNode { base: todo!(), dtype };
//! ```

// `script/script.rs` is the module of `schema/script/script.py`; of some modules all names have
// another form below.
#[allow(clippy::module_inception, unused_imports)]
#[path = "../../../generated/rust/mod.rs"]
mod generated;

pub use generated::init;
pub use tvm_ffi as ffi;

/// Types, expressions, functions and modules, shared by all dialects.
pub mod ir {
    mod extent;
    mod node_error;

    pub use crate::generated::ir::*;
    pub use node_error::{error_at, error_context};
}

/// High-level functions on tensors, without memory and loops.
pub mod relay {
    pub use crate::generated::relay::*;
}

/// Tensor expressions: operations on tensors, without loops and memory.
pub mod te {
    pub use crate::generated::te::*;
}

/// Tensor-level programs: scalar expressions, buffers, statements, functions.
pub mod tir {
    mod func_body;

    pub use crate::generated::tir::*;
}

/// How loops run: passes that classify loop nests and follow a recipe for each kind.
pub mod schedule {
    pub use crate::generated::schedule::*;
}

/// What code is generated for, and the code generators.
pub mod target {
    pub use crate::generated::target::*;
}

/// Static analysis of integer expressions.
pub mod arith {
    pub use crate::generated::arith::*;
}

/// Passes, and the context they run in.
pub mod transform {
    mod binding_rewriter;
    mod context_scope;
    mod instrument;
    mod pass;
    mod pass_registry;

    pub use crate::generated::transform::*;
    pub use binding_rewriter::{BindingRewriter, Rewrites};
    pub use instrument::{instrument, Instrument};
    pub use pass::{
        function_pass, module_pass, prim_func_pass, FunctionTransform, IntoPassInfo,
        ModuleTransform, PrimFuncTransform,
    };
    #[doc(hidden)]
    pub use pass_registry::static_init_block;
    pub use pass_registry::{make_pass, register_option, register_pass};
}

/// Compiled modules: loading, writing and measuring them.
pub mod runtime {
    pub use crate::generated::runtime::*;
}

/// From modules to libraries: the pipeline of passes, the C compiler, and the cache of objects.
pub mod driver {
    mod program;

    pub use crate::generated::driver::*;
    pub use program::Program;
}

/// The parts of a search for faster choices of recipes, in every language.
pub mod tuning {
    mod adapters;

    pub use crate::generated::tuning::*;
    pub use adapters::{cost_model, search_strategy, Features, Model, Strategy, Trace};
}

/// Script, the text form of modules in Python syntax.
pub mod script {
    mod display;
    mod text;

    pub use crate::generated::script::*;
    pub use text::{parse, print};
}

#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/bindings/functors.md")]
struct Functors;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/compiler/relay.md")]
struct Relay;
