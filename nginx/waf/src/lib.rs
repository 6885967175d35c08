//! A web application firewall by the rules of ModSecurity; no nginx.
//!
//! In comes the file of a rule set, named by the SHA-256 of its bytes; out goes a set that inspects requests. The engine is
//! libmodsecurity, which is loaded when the first set is wanted. Sets are compiled in a thread of their own ([`Workshop`]), and
//! [`Shelf`] knows which one serves whom. What a file of rules says is parsed once, however many sets it is a part of.

mod compiler;
mod engine;
mod library;
mod log_lines;
mod rules;
mod shelf;
mod source;
mod transaction;
mod wants;
mod workshop;

pub use compiler::{Compiled, Compiler};
pub use engine::Engine;
pub use rules::Fault;
pub use shelf::{Asked, Shelf};
pub use source::{DIGITS, Digest, Part, Source};
pub use transaction::{Intervention, Transaction, transaction_id};
pub use wants::Wants;
pub use workshop::{Done, Workshop};
