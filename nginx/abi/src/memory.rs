//! Places in a filter's memory: an address and a length, both of the filter's choice.

use crate::codes::Status;

/// The bytes from `at` on.
///
/// # Errors
/// [`Status::InvalidMemoryAccess`] when they are not all in `memory`.
pub fn range(memory: &[u8], at: i32, len: i32) -> Result<&[u8], Status> {
    let (at, len) = (at as u32 as usize, len as u32 as usize);
    memory.get(at..at + len).ok_or(Status::InvalidMemoryAccess)
}

/// As [`range`].
///
/// # Errors
/// As there.
pub fn range_mut(memory: &mut [u8], at: i32, len: i32) -> Result<&mut [u8], Status> {
    let (at, len) = (at as u32 as usize, len as u32 as usize);
    memory.get_mut(at..at + len).ok_or(Status::InvalidMemoryAccess)
}

// Two addresses of a filter are a sum that cannot be too large.
const _: () = assert!(usize::BITS > u32::BITS);
