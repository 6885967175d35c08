//! Why OpenSSL refused something.

use std::ffi::{CStr, c_ulong};
use std::fmt;

use ngx::ffi::{ERR_clear_error, ERR_peek_error, ERR_reason_error_string};

/// The reason of the first error that OpenSSL noted, or that it noted none. It never has anything of the data in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failure(c_ulong);

impl Failure {
    /// Takes the reason and empties the queue of errors: what stayed there nginx would blame on a connection later.
    pub fn take() -> Failure {
        // SAFETY: the queue belongs to this thread.
        unsafe {
            let first = ERR_peek_error();
            ERR_clear_error();
            Failure(first)
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: null, or a text that lives as long as the library.
        let reason = unsafe {
            let reason = ERR_reason_error_string(self.0);
            (!reason.is_null()).then(|| CStr::from_ptr(reason).to_string_lossy())
        };
        f.write_str(reason.as_deref().unwrap_or("OpenSSL does not take it"))
    }
}

impl std::error::Error for Failure {}
