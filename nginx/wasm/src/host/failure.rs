//! What host functions return.

use wick_abi::Status;

/// Why a host function did not do what it was asked.
pub enum Failure {
    /// The filter is told.
    Status(Status),
    /// The filter is stopped.
    Trap(wasmtime::Error),
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::Status(status)
    }
}

impl From<wasmtime::Error> for Failure {
    fn from(error: wasmtime::Error) -> Failure {
        Failure::Trap(error)
    }
}

pub type Answer = Result<(), Failure>;
