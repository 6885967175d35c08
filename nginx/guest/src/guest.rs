//! A guest's memory, seen from a host function: every access is checked against its present size.

use wasmtime::{Caller, Memory};
use wick_abi::Status;
pub use wick_abi::memory::{range, range_mut};

use crate::answer::{Answer, Failure};
use crate::embedder::Embedder;

/// The guest that called a host function.
pub struct Guest<'a, E: Embedder>(pub Caller<'a, E>);

impl<E: Embedder> Guest<'_, E> {
    #[inline]
    pub fn host(&mut self) -> &mut E {
        self.0.data_mut()
    }

    /// Counts the work of this call, see [`Embedder::pay`].
    /// # Errors
    /// The guest is stopped.
    #[inline]
    pub fn pay(&mut self, bytes: usize) -> Result<(), Failure> {
        E::pay(&mut self.0, bytes)
    }

    /// The guest's whole memory and the host's state, side by side.
    /// # Errors
    /// [`Status::InvalidMemoryAccess`]: it exports no memory.
    #[inline]
    pub fn split(&mut self) -> Result<(&mut [u8], &mut E), Status> {
        let memory = self.memory()?;
        Ok(memory.data_and_store_mut(&mut self.0))
    }

    /// `len` bytes at `at`; good until the guest runs again.
    /// # Errors
    /// [`Status::InvalidMemoryAccess`]: they are not all in its memory.
    #[inline]
    pub fn bytes(&mut self, at: i32, len: i32) -> Result<&[u8], Status> {
        let memory = self.memory()?;
        range(memory.data(&self.0), at, len)
    }

    /// # Errors
    /// As for [`Guest::bytes`].
    pub fn write(&mut self, at: i32, bytes: &[u8]) -> Result<(), Status> {
        let (memory, _) = self.split()?;
        range_mut(memory, at, bytes.len() as i32)?.copy_from_slice(bytes);
        Ok(())
    }

    /// # Errors
    /// As for [`Guest::bytes`].
    pub fn write_u32(&mut self, at: i32, value: u32) -> Result<(), Status> {
        self.write(at, &value.to_le_bytes())
    }

    /// Returns bytes through pointers: memory is asked from the guest, filled, and its address and
    /// size are stored at `data_at` and `size_at`. Spec: proxy-wasm 0.2.1, "Memory management".
    /// # Errors
    /// The pointers lie outside of its memory, it has none to give, or traps.
    pub fn give(&mut self, bytes: &[u8], data_at: i32, size_at: i32) -> Answer {
        self.give_with(bytes.len(), data_at, size_at, |to, _| {
            to.copy_from_slice(bytes);
            Ok(())
        })
    }

    /// As [`Guest::give`], for bytes that lie in two places.
    /// # Errors
    /// As there.
    pub fn give_both(&mut self, first: &[u8], then: &[u8], data_at: i32, size_at: i32) -> Answer {
        self.give_with(first.len() + then.len(), data_at, size_at, |to, _| {
            let (start, end) = to.split_at_mut(first.len());
            start.copy_from_slice(first);
            end.copy_from_slice(then);
            Ok(())
        })
    }

    /// As [`Guest::give`], for a part of a text: `max` bytes from `start` on, as far as there are so many.
    /// # Errors
    /// As there.
    pub fn give_part(
        &mut self,
        text: &[u8],
        (start, max): (i32, i32),
        data_at: i32,
        size_at: i32,
    ) -> Answer {
        let start = (start as u32 as usize).min(text.len());
        let end = start.saturating_add(max as u32 as usize).min(text.len());
        self.give(&text[start..end], data_at, size_at)
    }

    /// As [`Guest::give`], with `fill` to write the bytes.
    /// # Errors
    /// As there, and what `fill` says.
    pub fn give_with(
        &mut self,
        len: usize,
        data_at: i32,
        size_at: i32,
        fill: impl FnOnce(&mut [u8], &mut E) -> Result<(), Status>,
    ) -> Answer {
        self.pay(len)?;
        let size = i32::try_from(len).map_err(|_| Status::InternalFailure)?;
        let at = if len == 0 { 0 } else { self.allocate(size)? };
        let (memory, host) = self.split()?; // only now: the allocation may have moved the memory
        fill(range_mut(memory, at, size)?, host)?;
        range_mut(memory, data_at, 4)?.copy_from_slice(&at.to_le_bytes());
        range_mut(memory, size_at, 4)?.copy_from_slice(&size.to_le_bytes());
        Ok(())
    }

    // The function is taken out for the time of the call: copying it costs more than the call, and so what it calls cannot ask
    // for memory again.
    fn allocate(&mut self, size: i32) -> Result<i32, Failure> {
        let allocate = self.host().parts_mut().allocate.take().ok_or(Status::InternalFailure)?;
        let answer = allocate.call(&mut self.0, size);
        self.host().parts_mut().allocate = Some(allocate);
        match answer? {
            0 => Err(Status::InternalFailure.into()),
            at => Ok(at),
        }
    }

    // While the start section runs, the instance's exports are not noted yet.
    #[inline]
    fn memory(&mut self) -> Result<Memory, Status> {
        match self.0.data().parts().memory {
            Some(memory) => Ok(memory),
            None => self.find_memory(),
        }
    }

    #[cold]
    fn find_memory(&mut self) -> Result<Memory, Status> {
        let export = self.0.get_export("memory").and_then(|export| export.into_memory());
        self.host().parts_mut().memory = export;
        export.ok_or(Status::InvalidMemoryAccess)
    }
}
