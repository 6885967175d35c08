//! The directives of `wasm { }`, and what those of `http` and `stream` have in common, each read into what [`crate::conf`] keeps.

pub mod block;
pub mod chain;
pub mod ignored;
pub mod policy;
pub mod select;

/// A word of the configuration, for messages and names.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
