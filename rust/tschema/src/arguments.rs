//! Named arguments for constructors with defaults, which the owner fills in.

use crate::call::GlobalFunction;
use crate::ffi::{Any, AnyView, Result, String};

/// The arguments of a constructor, by name.
pub struct Arguments {
    /// Alternating names and values, as in tvm-ffi's keyword protocol.
    named: Vec<Any>,
}

impl Arguments {
    /// Start without arguments.
    pub const fn new() -> Self {
        Self { named: Vec::new() }
    }

    /// Give an argument.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Any>) -> Self {
        self.named.push(Any::from(String::from(name)));
        self.named.push(value.into());
        self
    }

    /// Call a constructor.
    ///
    /// # Errors
    ///
    /// The error of the constructor: an argument is missing, duplicate or invalid.
    pub fn call(&self, constructor: &GlobalFunction) -> Result<Any> {
        static MARKER: GlobalFunction = GlobalFunction::new("ffi.GetKwargsObject");
        let marker = MARKER.call(&[])?;
        let mut args = Vec::with_capacity(1 + self.named.len());
        args.push(AnyView::from(&marker));
        args.extend(self.named.iter().map(AnyView::from));
        constructor.call(&args)
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Self::new()
    }
}

/// Name arguments: `arguments! { value, body: body.into() }`.
#[macro_export]
macro_rules! arguments {
    ($($name:ident $(as $key:literal)? $(: $value:expr)?),* $(,)?) => {
        $crate::Arguments::new()$(
            .with($crate::builder!(@name $name $($key)?), $crate::arguments!(@value $name $($value)?))
        )*
    };
    (@value $name:ident) => {
        $name
    };
    (@value $name:ident $value:expr) => {
        $value
    };
}

/// Declare the builder of a type whose constructor has defaults.
///
/// `pub FooBuilder -> Foo: "ns.Foo" { setters }`, or `-> Result<Foo>` where the constructor can
/// refuse; a setter is `name: parameter type => value`, with `as "name"` before the colon where the
/// setter cannot have the argument's name.
#[macro_export]
macro_rules! builder {
    ($(#[$doc:meta])* pub $builder:ident -> Result<$reference:ty>: $key:literal $setters:tt) => {
        $crate::builder!(@type $(#[$doc])* $builder $setters);

        impl $builder {
            /// Construct.
            ///
            /// # Errors
            ///
            /// The error of the owner's constructor.
            pub fn build(self) -> $crate::ffi::Result<$reference> {
                static NEW: $crate::GlobalFunction = $crate::GlobalFunction::new($key);
                $crate::from_any(self.0.call(&NEW))
            }
        }
    };
    ($(#[$doc:meta])* pub $builder:ident -> $reference:ty: $key:literal $setters:tt) => {
        $crate::builder!(@type $(#[$doc])* $builder $setters);

        impl $builder {
            /// Construct.
            ///
            /// # Panics
            ///
            /// The library that owns the type is not loaded.
            pub fn build(self) -> $reference {
                static NEW: $crate::GlobalFunction = $crate::GlobalFunction::new($key);
                $crate::construct(self.0.call(&NEW))
            }
        }
    };
    (@type $(#[$doc:meta])* $builder:ident {
        $($(#[$setter_doc:meta])* $setter:ident $(as $name:literal)?: $parameter:ty => $value:expr,)*
    }) => {
        $(#[$doc])*
        #[must_use]
        pub struct $builder($crate::Arguments);

        impl $builder {
            $(
                $(#[$setter_doc])*
                pub fn $setter(self, $setter: $parameter) -> Self {
                    Self(self.0.with($crate::builder!(@name $setter $($name)?), $value))
                }
            )*
        }
    };
    (@name $setter:ident) => {
        stringify!($setter)
    };
    (@name $setter:ident $name:literal) => {
        $name
    };
}
