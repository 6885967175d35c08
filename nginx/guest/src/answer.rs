//! What host functions return.

use wick_abi::Status;

/// Why a host function did not do what it was asked.
pub enum Failure {
    /// The guest is told.
    Status(Status),
    /// The guest is stopped.
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

/// What the guest gets for an answer.
/// # Errors
/// The guest is stopped.
#[inline]
pub fn status(answer: Answer) -> wasmtime::Result<i32> {
    match answer {
        Ok(()) => Ok(Status::Ok as i32),
        Err(Failure::Status(status)) => Ok(status as i32),
        Err(Failure::Trap(error)) => Err(error),
    }
}
