//! Lines of the access log: what a format is made of, and how values are written that must not end one.
//!
//! Both are those of nginx's `log_format`. The crate knows neither nginx nor Wasm.

mod escape;
mod format;

pub use escape::Escape;
pub use format::{Piece, pieces};
