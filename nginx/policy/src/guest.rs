//! The policy that called a host function, and what its call may know.

use wick_abi::Status;
pub(crate) use wick_guest::{range, range_mut};

use crate::state::State;
use crate::world::World;

pub(crate) type Guest<'a> = wick_guest::Guest<'a, State>;

/// What the call at hand may know; NOT_FOUND in the start section and start-up functions.
pub(crate) fn world<'a>(guest: &Guest<'a>) -> Result<&'a dyn World, Status> {
    // SAFETY: the call that has called us goes on when `'a` has ended.
    unsafe { guest.0.data().world() }.ok_or(Status::NotFound)
}
