//! A policy's memory, seen from a host function: every access is checked against its present size, and what the host does for a
//! policy is counted as work of its own.

use wasmtime::{Caller, Memory};
use wick_abi::Status;
pub(crate) use wick_abi::memory::{range, range_mut};

use crate::state::State;
use crate::world::World;

/// The policy that called a host function.
pub(crate) struct Guest<'a>(pub Caller<'a, State>);

/// Why a host function did not do what it was asked.
pub(crate) enum Failure {
    /// The policy is told.
    Status(Status),
    /// The policy is stopped.
    Trap(wasmtime::Error),
}

pub(crate) type Answer = Result<(), Failure>;

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

pub(crate) fn status(answer: Answer) -> wasmtime::Result<i32> {
    match answer {
        Ok(()) => Ok(Status::Ok as i32),
        Err(Failure::Status(status)) => Ok(status as i32),
        Err(Failure::Trap(error)) => Err(error),
    }
}

/// Fuel for a call into the host, and for each eight bytes that it copies.
const CALL: u64 = 50;

impl<'a> Guest<'a> {
    /// What the call at hand may know; NOT_FOUND in the start section and start-up functions.
    pub fn world(&self) -> Result<&'a dyn World, Status> {
        // SAFETY: the call that has called us goes on when `'a` has ended.
        unsafe { self.0.data().world() }.ok_or(Status::NotFound)
    }

    /// Counts the work of this call.
    pub fn pay(&mut self, bytes: usize) -> Result<(), Failure> {
        let left = self.0.get_fuel()?.saturating_sub(CALL + bytes as u64 / 8);
        Ok(self.0.set_fuel(left)?)
    }

    /// The policy's whole memory and the host's state, side by side.
    pub fn split(&mut self) -> Result<(&mut [u8], &mut State), Status> {
        let memory = self.memory()?;
        Ok(memory.data_and_store_mut(&mut self.0))
    }

    /// `len` bytes at `at`; good until the policy runs again.
    pub fn bytes(&mut self, at: i32, len: i32) -> Result<&[u8], Status> {
        let memory = self.memory()?;
        range(memory.data(&self.0), at, len)
    }

    pub fn write(&mut self, at: i32, bytes: &[u8]) -> Result<(), Status> {
        let (memory, _) = self.split()?;
        range_mut(memory, at, bytes.len() as i32)?.copy_from_slice(bytes);
        Ok(())
    }

    pub fn write_u32(&mut self, at: i32, value: u32) -> Result<(), Status> {
        self.write(at, &value.to_le_bytes())
    }

    /// Returns bytes through pointers: memory is asked from the policy, filled, and its address and size are stored at `data_at`
    /// and `size_at`. Spec: proxy-wasm 0.2.1, "Memory management".
    pub fn give(&mut self, parts: &[&[u8]], data_at: i32, size_at: i32) -> Answer {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        self.pay(len)?;
        let size = i32::try_from(len).map_err(|_| Status::InternalFailure)?;
        let at = if len == 0 { 0 } else { self.allocate(size)? };
        let (memory, _) = self.split()?; // only now: the allocation may have moved the memory
        let mut to = range_mut(memory, at, size)?;
        for part in parts {
            let (here, rest) = to.split_at_mut(part.len());
            here.copy_from_slice(part);
            to = rest;
        }
        range_mut(memory, data_at, 4)?.copy_from_slice(&at.to_le_bytes());
        range_mut(memory, size_at, 4)?.copy_from_slice(&size.to_le_bytes());
        Ok(())
    }

    // The function is taken out for the time of the call: so what it calls cannot ask for memory again.
    fn allocate(&mut self, size: i32) -> Result<i32, Failure> {
        let allocate = self.0.data_mut().allocate.take().ok_or(Status::InternalFailure)?;
        let answer = allocate.call(&mut self.0, size);
        self.0.data_mut().allocate = Some(allocate);
        match answer? {
            0 => Err(Status::InternalFailure.into()),
            at => Ok(at),
        }
    }

    // While the start section runs, the instance's exports are not noted yet.
    fn memory(&mut self) -> Result<Memory, Status> {
        if let Some(memory) = self.0.data().memory {
            return Ok(memory);
        }
        let export = self.0.get_export("memory").and_then(|export| export.into_memory());
        self.0.data_mut().memory = export;
        export.ok_or(Status::InvalidMemoryAccess)
    }
}
