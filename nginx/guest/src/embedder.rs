//! What a host keeps for one instance, as far as every host does, and what it decides about it.

use wasmtime::{Caller, Memory, StoreLimits, StoreLimitsBuilder, TypedFunc};
use wick_abi::{LogLevel, Status};

use crate::answer::Failure;

/// The state of a host's store: what the host functions of one instance work on.
pub trait Embedder: Sized + 'static {
    /// How much a guest may have of what no proxy is needed for.
    const TAKEN: Taken;

    fn parts(&self) -> &Parts;
    fn parts_mut(&mut self) -> &mut Parts;

    /// Counts what the host does for the guest as work of the guest's own: a call, and so many bytes that are copied.
    /// # Errors
    /// The guest is stopped.
    #[inline]
    fn pay(_: &mut Caller<'_, Self>, _bytes: usize) -> Result<(), Failure> {
        Ok(())
    }

    /// Writes a line of the guest's to the log.
    /// # Errors
    /// There is no log now.
    fn print(&mut self, level: LogLevel, text: &str) -> Result<(), Status>;

    /// The lowest level that is written.
    fn log_level(&self) -> LogLevel;
}

/// How much a guest may have in one call.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// Of a line for the log, which is cut there.
    pub line_bytes: usize,
    /// Parts of one write to standard output.
    pub output_parts: i32,
    /// Whether each part is a line of its own; else all are one.
    pub splits_output: bool,
    pub random_bytes: usize,
}

/// Where an instance's memory and attempt record are, and how large it may get.
pub struct Parts {
    pub(crate) limits: StoreLimits,
    pub(crate) memory: Option<Memory>,
    /// The function by which the guest is asked for memory.
    pub(crate) allocate: Option<TypedFunc<i32, i32>>,
    /// Address and length of the attempt record, when the guest has one.
    pub record: Option<(i32, i32)>,
}

impl Parts {
    /// For a new instance with so much linear memory at most.
    #[must_use]
    pub fn new(memory_bytes: usize) -> Parts {
        let limits = StoreLimitsBuilder::new()
            .memory_size(memory_bytes)
            .instances(1)
            .memories(1)
            .tables(4)
            .table_elements(10_000)
            .build();
        Parts { limits, memory: None, allocate: None, record: None }
    }
}
