//! The filter that called a host function, and the request that it runs for.

use wick_abi::Status;
pub use wick_guest::{range, range_mut};
use wick_native::request::Request;

use super::state::Host;
use crate::upstream::peer::Peer;

pub type Guest<'a> = wick_guest::Guest<'a, Host>;

/// What the callback at hand is about.
pub trait Subject<'a> {
    /// The request that the filter runs for; BAD_ARGUMENT outside of one.
    fn request(&self) -> Result<Request<'a>, Status> {
        self.request_if_any().ok_or(Status::BadArgument)
    }

    fn request_if_any(&self) -> Option<Request<'a>>;

    /// The attempt at hand, in upstream steps.
    fn peer(&self) -> Option<&'a Peer<'a>>;
}

impl<'a> Subject<'a> for Guest<'a> {
    #[inline]
    fn request_if_any(&self) -> Option<Request<'a>> {
        // SAFETY: the callback that has called us goes on when `'a` has ended.
        unsafe { self.0.data().current.request() }
    }

    #[inline]
    fn peer(&self) -> Option<&'a Peer<'a>> {
        // SAFETY: as above.
        unsafe { self.0.data().current.peer() }
    }
}
