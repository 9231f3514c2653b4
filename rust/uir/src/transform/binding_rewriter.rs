//! Rewriting of high-level functions, binding by binding.

use std::collections::HashMap;

use tschema::{downcast_ref, elements, structural_equal, Replacements};
use tvm_ffi::object::ObjectIdentity;
use tvm_ffi::{ObjectRefCore, Result, String};

use crate::ir::{RelayExpr, Type};
use crate::relay::relay_expr_functor::rebuild_relay_expr;
use crate::relay::{
    Binding, Block, Call, Constant, Function, RelayExprMutator, Tuple, TupleGetItem, Var,
};

/// What a [`BindingRewriter`] has emitted and replaced so far.
#[derive(Default)]
pub struct Rewrites {
    emitted: Vec<Binding>,
    replacements: Replacements,
    /// What calls and tuples inside values of the open block became; both are kept alive.
    rewritten: HashMap<ObjectIdentity, (RelayExpr, RelayExpr)>,
}

/// Rewrites the bindings of high-level functions: each to none, one or several.
///
/// A rewriter is a [`RelayExprMutator`], which replaces variables in values. A rewritten value is
/// made by its constructor, which infers its type. If the type of a binding changes, a new variable
/// replaces the old one in all that follows. A part that values of a block share is rewritten once.
/// Branches of an `If` are blocks of their own.
///
/// ```
/// use tschema::downcast_ref;
/// use uir::ffi::Result;
/// use uir::relay::{Binding, RelayExprMutator, Var};
/// use uir::transform::{BindingRewriter, Rewrites};
///
/// /// Replaces variables that are bound to variables.
/// #[derive(Default)]
/// struct DropCopies(Rewrites);
///
/// impl BindingRewriter for DropCopies {
///     fn rewrites(&mut self) -> &mut Rewrites {
///         &mut self.0
///     }
///
///     fn rewrite_binding(&mut self, binding: &Binding) -> Result<()> {
///         let value = self.mutate_relay_expr(binding.value.clone())?;
///         if downcast_ref::<Var>(&value).is_some() {
///             self.replace(&binding.var, value);
///             return Ok(());
///         }
///         self.emit(binding, value)
///     }
/// }
/// ```
///
/// # Errors
///
/// Each method returns the error of an overridden method or of the constructor of a node.
pub trait BindingRewriter {
    /// Return the table that the rewriter has as a field.
    fn rewrites(&mut self) -> &mut Rewrites;

    /// Return the function with a rewritten body; the function itself if nothing changes.
    ///
    /// If the type of the result changes, so does that of the function.
    fn run(&mut self, func: &Function) -> Result<Function> {
        let body = self.mutate_block(func.body.clone())?;
        if body.same_as(&func.body) {
            return Ok(func.clone());
        }
        let ret_type = result_type(func, &body)?;
        Function::new(
            &func.params,
            body,
            ret_type,
            func.attrs.clone(),
            func.span.clone(),
        )
    }

    /// Rewrite a binding: emit none, one or several. The default rewrites the value.
    fn rewrite_binding(&mut self, binding: &Binding) -> Result<()> {
        let value = self.mutate_relay_expr(binding.value.clone())?;
        self.emit(binding, value)
    }

    /// Return the value of a block; the default rewrites it.
    fn rewrite_result(&mut self, result: &RelayExpr) -> Result<RelayExpr> {
        self.mutate_relay_expr(result.clone())
    }

    /// Emit a binding of a variable to a value.
    ///
    /// If the type of the value is not that of the variable, a new variable is bound, and replaces
    /// it. `binding` is the binding that this one comes from: itself is emitted if nothing changed.
    fn emit(&mut self, binding: &Binding, value: impl Into<RelayExpr>) -> Result<()> {
        let value = value.into();
        if has_type_of(&binding.var, &value)? {
            let is_same = value.same_as(&binding.value);
            self.rewrites().emitted.push(if is_same {
                binding.clone()
            } else {
                Binding::new(&binding.var, value, binding.span.clone())
            });
            return Ok(());
        }
        let old = &binding.var;
        let var = Var::new(
            old.name.clone(),
            value.checked_type.clone(),
            old.span.clone(),
        )?;
        let emitted = Binding::new(&var, value, binding.span.clone());
        self.rewrites().emitted.push(emitted);
        self.replace(old, var);
        Ok(())
    }

    /// Emit a binding of a new variable; return the variable.
    fn emit_new(&mut self, value: impl Into<RelayExpr>, name: impl Into<String>) -> Result<Var> {
        let value = value.into();
        let span = value.span.clone();
        let var = Var::new(name, value.checked_type.clone(), span.clone())?;
        self.rewrites()
            .emitted
            .push(Binding::new(&var, value, span));
        Ok(var)
    }

    /// Replace all later uses of a variable.
    fn replace(&mut self, var: &Var, by: impl Into<RelayExpr>) {
        let var: RelayExpr = var.into();
        self.rewrites().replacements.set(&var, by.into());
        self.rewrites().rewritten.clear();
    }

    /// Return the current replacement of a variable, or the variable.
    fn use_of(&mut self, var: &Var) -> RelayExpr {
        let var: RelayExpr = var.into();
        let known = self.rewrites().replacements.get(&var).cloned();
        known.unwrap_or(var)
    }
}

impl<T: BindingRewriter + ?Sized> RelayExprMutator for T {
    fn mutate_relay_expr(&mut self, node: RelayExpr) -> Result<RelayExpr> {
        if !has_operands(&node) {
            return rebuild_relay_expr(self, node);
        }
        let key = ObjectIdentity::of(&node);
        if let Some((_, known)) = self.rewrites().rewritten.get(&key) {
            return Ok(known.clone());
        }
        let result = rebuild_relay_expr(self, node.clone())?;
        self.rewrites()
            .rewritten
            .insert(key, (node, result.clone()));
        Ok(result)
    }

    fn mutate_var(&mut self, node: Var) -> Result<RelayExpr> {
        Ok(self.use_of(&node))
    }

    fn mutate_constant(&mut self, node: Constant) -> Result<RelayExpr> {
        Ok(node.into())
    }

    fn mutate_function(&mut self, node: Function) -> Result<RelayExpr> {
        Ok(self.run(&node)?.into())
    }

    fn mutate_block(&mut self, node: Block) -> Result<Block> {
        let outer = std::mem::take(&mut self.rewrites().emitted);
        // What a branch binds is not in scope outside of it.
        let outer_rewritten = std::mem::take(&mut self.rewrites().rewritten);
        for binding in elements(&node.bindings) {
            self.rewrite_binding(binding)?;
        }
        let result = self.rewrite_result(&node.result)?;
        let emitted = std::mem::replace(&mut self.rewrites().emitted, outer);
        self.rewrites().rewritten = outer_rewritten;
        if result.same_as(&node.result) && are_same(&emitted, &node) {
            return Ok(node);
        }
        Ok(Block::new(emitted, result))
    }
}

/// Whether an expression has operands, which others may share.
fn has_operands(expr: &RelayExpr) -> bool {
    downcast_ref::<Call>(expr).is_some()
        || downcast_ref::<Tuple>(expr).is_some()
        || downcast_ref::<TupleGetItem>(expr).is_some()
}

/// The type of a function's result: that of the new body, if the old one had another.
fn result_type(func: &Function, body: &Block) -> Result<Option<Type>> {
    if let (Some(before), Some(after)) = (&func.body.result.checked_type, &body.result.checked_type)
    {
        if !structural_equal(before, after, false)? {
            return Ok(Some(after.clone()));
        }
    }
    Ok(func.ret_type.clone())
}

/// Whether a variable may stand for a value: its type is that of the value.
fn has_type_of(var: &Var, value: &RelayExpr) -> Result<bool> {
    match (&value.checked_type, &var.type_annotation) {
        (None, _) => Ok(true),
        (Some(_), None) => Ok(false),
        (Some(found), Some(annotation)) => structural_equal(found, annotation, false),
    }
}

/// Whether the bindings are those of a block, one for one.
fn are_same(emitted: &[Binding], block: &Block) -> bool {
    emitted.len() == block.bindings.len()
        && emitted
            .iter()
            .zip(elements(&block.bindings))
            .all(|(one, other)| one.same_as(other))
}
