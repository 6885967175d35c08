//! What snippets say, compiled, in force.

pub mod effects;
