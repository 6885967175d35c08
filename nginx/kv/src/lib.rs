//! The shared store: keys and values with versions in one piece of memory that several processes map.
//!
//! In comes a piece of memory, the lock that guards it and bytes; out go bytes and versions. Everything inside is an
//! offset from the start, so the memory may lie anywhere, and everything survives a process that is killed in the
//! middle of a write (`recover`). The crate knows neither nginx nor Wasm, nor what the bytes mean.
//!
//! Two numbers tell without a lock whether anything moved: [`Store::version`] for the whole store and
//! [`Store::key_version`] for one key (and the few that share its stripe). Take the version *before* reading the
//! value it speaks of: then a change in between costs a needless second read and is never missed.
//!
//! Beside a store there may be [`Slots`], in memory of their own: numbers that belong to its keys and change without the lock.

mod apply;
mod copy;
mod entries;
mod hash;
mod heap;
mod in_turn;
mod keys;
mod layout;
mod lock;
mod memory;
mod read;
mod recover;
mod slots;
mod step;
mod store;
#[cfg(all(test, not(loom)))]
mod tests;
mod write;

pub use apply::apply;
pub use layout::{LayoutError, MAX_KEY_BYTES, MAX_VALUE_BYTES, SMALL_VALUE_BYTES};
pub use lock::Lock;
pub use slots::open::OpenError;
pub use slots::rows::{Live, Row, SwapError};
pub use slots::{CELLS, Capacity, MAX_PROCESSES, MAX_SLOTS, SlotStatistics, Slots};
pub use store::{Statistics, Store};
pub use write::{Cas, Refusal, Write, WriteError};
