//! Backtraces of errors, cut to the frames of the user's own code.

use std::env;
use std::sync::OnceLock;

use crate::ffi::{Error, Result};

/// What the files of frames contain that a user did not write: the runtimes of C and Rust, the
/// layers between the languages, the libraries, and code without line numbers.
const NOT_THE_USERS: [&str; 12] = [
    "<unknown>",
    "/nptl/",
    "/sysdeps/",
    "/rustc/",
    "library/",
    "/.cargo/",
    "tvm-ffi/src/",
    "rust/tschema/src/",
    "generated/rust/",
    "cpp/src/tschema/",
    "cpp/src/uir/",
    "cpp/include/",
];

/// Cut the backtrace of an error, unless `RUST_BACKTRACE` is `full`.
pub(crate) fn with_short_backtrace<T>(result: Result<T>) -> Result<T> {
    result.map_err(|error| {
        if shows_all() {
            error
        } else {
            shortened(&error)
        }
    })
}

fn shows_all() -> bool {
    static IS_FULL: OnceLock<bool> = OnceLock::new();
    *IS_FULL.get_or_init(|| env::var("RUST_BACKTRACE").is_ok_and(|value| value == "full"))
}

#[cold]
fn shortened(error: &Error) -> Error {
    let backtrace: String = error
        .backtrace()
        .lines()
        .filter(|frame| is_the_users(frame))
        .flat_map(|frame| [frame, "\n"])
        .collect();
    Error::new_with_cause_and_extra_context(
        error.kind(),
        error.message(),
        &backtrace,
        error.cause_chain().as_ref(),
        error.extra_context().as_ref(),
    )
}

fn is_the_users(frame: &str) -> bool {
    // `  File "main.rs", line 10, in toy::main`.
    let file = frame.split('"').nth(1).unwrap_or("<unknown>");
    !NOT_THE_USERS.iter().any(|part| file.contains(part))
}

#[cfg(test)]
mod tests {
    use super::is_the_users;

    #[test]
    fn frames_of_libraries_go() {
        assert!(is_the_users("  File \"src/main.rs\", line 3, in toy::main"));
        assert!(is_the_users("  File \"passes/lower.py\", line 3, in lower"));
        assert!(!is_the_users("  File \"<unknown>\", line 0, in _start"));
        assert!(!is_the_users(
            "  File \"library/std/src/rt.rs\", line 171, in lang_start"
        ));
        assert!(!is_the_users("no frame"));
    }
}
