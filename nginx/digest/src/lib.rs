//! Digest authentication (RFC 7616): what a client answers to a challenge, and nonces, each use of which counts once.
//!
//! In come the value of a header, a user's hash and the time; out goes whether the answer is right and was not seen before. What was
//! seen lies in a table of words that all processes map; its users hold its lock. The crate knows neither nginx nor Wasm.

mod algorithm;
mod answer;
mod nonce;
mod parameters;
mod uses;

pub use algorithm::Algorithm;
pub use answer::Answer;
pub use nonce::{Key, LIFE_MS, Nonce, Presented};
pub use uses::{Counted, Uses, Whose};
