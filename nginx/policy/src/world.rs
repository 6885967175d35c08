//! What a policy may know and do beyond its own memory, for the length of one call: nothing of it reaches further than one
//! backend and, in select and info, one request.

use std::borrow::Cow;

use wick_abi::{LogLevel, Status};

use crate::endpoints::Endpoints;

/// Implemented by nginx's worker, and by the trial of the program.
pub trait World {
    /// Those of the backend, as of the last change that the policy was told of.
    fn endpoints(&self) -> &Endpoints;
    /// What its plugin configuration is for this backend.
    fn configuration(&self) -> &[u8];
    /// A bit for each endpoint to keep away from in this attempt; too short means that no further one is.
    fn avoided(&self) -> &[u8];
    /// The first value of a header that the operator lets policies read.
    fn header(&self, side: Side, name: &[u8]) -> Option<Cow<'_, [u8]>>;
    /// The request's first cookie of this name, if policies may read cookies.
    fn cookie(&self, name: &[u8]) -> Option<Cow<'_, [u8]>>;
    /// A number of the endpoint at a place of the list; 0 if it is not kept.
    fn number(&self, index: usize, number: Number) -> u64;
    /// Adds to an own cell; the sum.
    /// # Errors
    /// NOT_FOUND: there is no such cell now. INTERNAL_FAILURE: nothing can be written.
    fn add(&self, index: usize, cell: u32, what: u64) -> Result<u64, Status>;
    /// Writes an own cell if it holds what is expected.
    /// # Errors
    /// As above.
    fn swap(&self, index: usize, cell: u32, expected: u64, wanted: u64) -> Result<Swapped, Status>;
    /// A line of the policy's for the log.
    fn log(&self, level: LogLevel, text: &str);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Request,
    Response,
}

/// A number that is known about an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// A cell of the policy's own, 0 to 3.
    Own(u32),
    /// Attempts that run, over all workers.
    Running,
    /// Moving average: u32 when it was touched in milliseconds · f32 nanoseconds, in the high bits.
    Latency,
}

/// What became of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swapped {
    Done,
    /// The cell holds this instead.
    Found(u64),
}
