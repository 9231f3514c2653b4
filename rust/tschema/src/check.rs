//! Checks that tvm-ffi and the owner in this process match the generated code.

use crate::call::{from_any, GlobalFunction};
use crate::ffi::tvm_ffi_sys::{TVMFFIByteArray, TVMFFITypeKeyToIndex};
use crate::ffi::{get_type_attr, AnyView, Array, Error, Result, String, RUNTIME_ERROR};

/// The version of tvm-ffi that this crate is written for: major, minor, patch.
///
/// The release 0.1.15.post2 reports this version.
pub const FFI_VERSION: [u32; 3] = [0, 1, 16];

/// A type key, and the digest of the layout that the owner must have registered for it.
pub type Digest = (&'static str, &'static str);

#[repr(C)]
struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

extern "C" {
    fn TVMFFIGetVersion(version: *mut Version);
}

/// Check that a package's compiled library is loaded without errors and matches this code.
///
/// # Errors
///
/// Another version of tvm-ffi is loaded, the package's library is not loaded, the registration of a
/// library failed, or a layout differs from `digests`.
pub fn check(package: &str, digests: &[Digest]) -> Result<()> {
    check_version(package, loaded_version())?;
    check_registration(package)?;
    let differing: Vec<_> = digests
        .iter()
        .filter_map(|(key, digest)| mismatch(key, digest))
        .collect();
    if differing.is_empty() {
        return Ok(());
    }
    Err(error(&format!(
        "the Rust code of package `{package}` is not that of the library that is loaded; \
         rebuild both\n{}",
        differing.join("\n")
    )))
}

/// Define `init`, which checks a package once: `package! { "uir", "uir.ir.Span" => "<digest>" }`.
#[macro_export]
macro_rules! package {
    ($package:literal, $($key:literal => $digest:literal),* $(,)?) => {
        /// Check that the library that owns the package's types is loaded, and has their layout.
        ///
        /// Call it first: reading the fields of an object does not check them. Further calls after
        /// a success have no effect.
        ///
        /// # Errors
        ///
        /// Another version of tvm-ffi is loaded, the library is not loaded, the registration of a
        /// library failed, or a layout differs from this code.
        pub fn init() -> $crate::ffi::Result<()> {
            static CHECKED: ::std::sync::OnceLock<()> = ::std::sync::OnceLock::new();
            if CHECKED.get().is_none() {
                $crate::check($package, &[$(($key, $digest)),*])?;
                CHECKED.get_or_init(|| ());
            }
            Ok(())
        }
    };
}

fn loaded_version() -> [u32; 3] {
    let mut version = Version {
        major: 0,
        minor: 0,
        patch: 0,
    };
    // SAFETY: the function fills the struct in.
    unsafe { TVMFFIGetVersion(&mut version) };
    [version.major, version.minor, version.patch]
}

fn check_version(package: &str, loaded: [u32; 3]) -> Result<()> {
    if loaded == FFI_VERSION {
        return Ok(());
    }
    let text = |version: [u32; 3]| version.map(|part| part.to_string()).join(".");
    Err(error(&format!(
        "the Rust code of package `{package}` was built for tvm-ffi {}, but tvm-ffi {} is loaded; \
         install the version that it was built for, or rebuild it",
        text(FFI_VERSION),
        text(loaded)
    )))
}

fn check_registration(package: &str) -> Result<()> {
    static ERRORS: GlobalFunction = GlobalFunction::new("tschema.registration_errors");
    static DIGEST: GlobalFunction = GlobalFunction::new("tschema.package_digest");
    let package_name = String::from(package);
    let digest = DIGEST.call(&[AnyView::from(&package_name)]);
    let errors: Array<String> = match ERRORS.call(&[]) {
        Ok(errors) => from_any(Ok(errors))?,
        Err(_) => Array::default(),
    };
    if !errors.is_empty() {
        let lines: Vec<_> = errors.iter().map(|line| line.as_str().to_owned()).collect();
        return Err(error(&lines.join("\n")));
    }
    match digest.and_then(|digest| from_any::<Option<String>>(Ok(digest))) {
        Ok(Some(_)) => Ok(()),
        _ => Err(error(&format!(
            "the compiled library of package `{package}` is not loaded; load lib{package} first"
        ))),
    }
}

/// Describe how a type differs from what its owner registered, if it does.
fn mismatch(key: &str, expected: &str) -> Option<std::string::String> {
    let Some(type_index) = type_index(key) else {
        return Some(format!("type `{key}`: not registered"));
    };
    match get_type_attr(type_index, "__tschema_digest__").map(String::try_from) {
        Some(Ok(digest)) if digest == expected => None,
        Some(Ok(digest)) => Some(format!(
            "type `{key}`: layout digest {}, expected {expected}",
            digest.as_str()
        )),
        _ => Some(format!(
            "type `{key}`: registered by code that does not use tschema"
        )),
    }
}

fn type_index(key: &str) -> Option<i32> {
    let mut type_index = 0;
    // SAFETY: the bytes of `key` outlive the call.
    let found = unsafe {
        let key = TVMFFIByteArray::from_str(key);
        TVMFFITypeKeyToIndex(&key, &mut type_index) == 0
    };
    if !found {
        // Clear the error, so that it does not surface later.
        drop(Error::from_raised());
    }
    found.then_some(type_index)
}

fn error(message: &str) -> Error {
    Error::new(RUNTIME_ERROR, message, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_release_is_accepted() {
        check_version("toy", loaded_version()).unwrap();
    }

    #[test]
    fn another_release_is_refused_with_both_named() {
        let error = check_version("toy", [0, 2, 0]).unwrap_err();
        assert_eq!(
            error.message(),
            "the Rust code of package `toy` was built for tvm-ffi 0.1.16, but tvm-ffi 0.2.0 is \
             loaded; install the version that it was built for, or rebuild it"
        );
    }

    #[test]
    fn a_missing_type_and_a_foreign_one_are_told() {
        assert_eq!(
            mismatch("toy.None", "0"),
            Some("type `toy.None`: not registered".into())
        );
        assert_eq!(
            mismatch("ffi.Array", "0"),
            Some("type `ffi.Array`: registered by code that does not use tschema".into())
        );
    }
}
