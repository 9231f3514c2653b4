//! Replaces `silu(x)` by `x * sigmoid(x)`: one binding becomes two.

use tschema::downcast_ref;
use uir::ffi::{ObjectRefCore, Result};
use uir::ir::get_op;
use uir::relay::{multiply, sigmoid, Binding, Call, RelayExprMutator};
use uir::transform::{function_pass, BindingRewriter, Pass, Rewrites};

#[derive(Default)]
struct ExpandSilu(Rewrites);

impl BindingRewriter for ExpandSilu {
    fn rewrites(&mut self) -> &mut Rewrites {
        &mut self.0
    }

    fn rewrite_binding(&mut self, binding: &Binding) -> Result<()> {
        let value = self.mutate_relay_expr(binding.value.clone())?;
        let silu = get_op("relay.silu")?;
        match downcast_ref::<Call>(&value) {
            Some(call) if call.op.same_as(&silu) => {
                let x = call.args.get(0)?;
                let gate = self.emit_new(sigmoid(&x).build()?, "gate")?;
                self.emit(binding, multiply(&x, &gate).build()?)
            }
            _ => self.emit(binding, value),
        }
    }
}

fn make_expand_silu() -> Result<Pass> {
    function_pass("passes.ExpandSilu", |func, _module, _context| {
        ExpandSilu::default().run(&func)
    })
}

uir::register_pass!("passes.ExpandSilu", make_expand_silu);
