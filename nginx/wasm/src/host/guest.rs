//! A filter's memory, seen from a host function: every access is checked against its present size.

use wasmtime::{Caller, Memory};
use wick_abi::Status;
pub use wick_abi::memory::{range, range_mut};
use wick_native::request::Request;

use super::failure::Failure;
use super::state::Host;
use crate::attempts::peer::Peer;
use crate::subject::Subject;

/// The filter that called a host function.
pub struct Guest<'a>(pub Caller<'a, Host>);

impl<'a> Guest<'a> {
    pub fn host(&mut self) -> &mut Host {
        self.0.data_mut()
    }

    /// The request that the filter runs for; BAD_ARGUMENT outside of one, and for a session.
    pub fn request(&self) -> Result<Request<'a>, Status> {
        self.request_if_any().ok_or(Status::BadArgument)
    }

    #[inline]
    pub fn request_if_any(&self) -> Option<Request<'a>> {
        self.subject().and_then(Subject::request)
    }

    /// The request or session that the filter runs for.
    #[inline]
    pub fn subject(&self) -> Option<Subject<'a>> {
        // SAFETY: the callback that has called us goes on when `'a` has ended.
        unsafe { self.0.data().current.subject() }
    }

    /// The attempt at hand, in upstream steps.
    #[inline]
    pub fn peer(&self) -> Option<&'a Peer<'a>> {
        // SAFETY: as above.
        unsafe { self.0.data().current.peer() }
    }

    /// The filter's whole memory and the host's state, side by side.
    pub fn split(&mut self) -> Result<(&mut [u8], &mut Host), Status> {
        let memory = self.memory()?;
        Ok(memory.data_and_store_mut(&mut self.0))
    }

    /// `len` bytes at `at`; good until the filter runs again.
    pub fn bytes(&mut self, at: i32, len: i32) -> Result<&[u8], Status> {
        let memory = self.memory()?;
        range(memory.data(&self.0), at, len)
    }

    pub fn write(&mut self, at: i32, bytes: &[u8]) -> Result<(), Status> {
        let (memory, _) = self.split()?;
        let len = bytes.len() as i32;
        range_mut(memory, at, len)?.copy_from_slice(bytes);
        Ok(())
    }

    pub fn write_u32(&mut self, at: i32, value: u32) -> Result<(), Status> {
        self.write(at, &value.to_le_bytes())
    }

    /// Returns bytes through pointers: memory is asked from the filter, filled, and its address and
    /// size are stored at `data_at` and `size_at`. Spec: proxy-wasm 0.2.1, "Memory management".
    pub fn give(&mut self, bytes: &[u8], data_at: i32, size_at: i32) -> Result<(), Failure> {
        self.give_with(bytes.len(), data_at, size_at, |to, _| {
            to.copy_from_slice(bytes);
            Ok(())
        })
    }

    /// As [`Guest::give`], with `fill` to write the bytes.
    pub fn give_with(
        &mut self,
        len: usize,
        data_at: i32,
        size_at: i32,
        fill: impl FnOnce(&mut [u8], &mut Host) -> Result<(), Status>,
    ) -> Result<(), Failure> {
        let size = i32::try_from(len).map_err(|_| Status::InternalFailure)?;
        let at = if len == 0 { 0 } else { self.allocate(size)? };
        let (memory, host) = self.split()?; // only now: the allocation may have moved the memory
        fill(range_mut(memory, at, size)?, host)?;
        range_mut(memory, data_at, 4)?.copy_from_slice(&at.to_le_bytes());
        range_mut(memory, size_at, 4)?.copy_from_slice(&size.to_le_bytes());
        Ok(())
    }

    // The function is taken out for the time of the call, because copying it costs more than the call.
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
