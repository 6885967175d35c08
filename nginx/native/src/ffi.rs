//! nginx's own types and functions, for the macros of `module`.

pub use ngx::ffi::*;
