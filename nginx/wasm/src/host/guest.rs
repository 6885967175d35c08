//! The filter that called a host function, and the request or session that it runs for.

use wick_abi::Status;
pub use wick_guest::{range, range_mut};
use wick_native::request::Request;

use super::state::Host;
use crate::attempts::peer::Peer;
use crate::subject::Subject;

pub type Guest<'a> = wick_guest::Guest<'a, Host>;

/// What the callback at hand is about.
pub trait AtHand<'a> {
    /// The request or session that the filter runs for.
    fn subject(&self) -> Option<Subject<'a>>;

    /// The attempt at hand, in upstream steps.
    fn peer(&self) -> Option<&'a Peer<'a>>;

    /// The request that the filter runs for; BAD_ARGUMENT outside of one, and for a session.
    fn request(&self) -> Result<Request<'a>, Status> {
        self.subject().and_then(Subject::request).ok_or(Status::BadArgument)
    }
}

impl<'a> AtHand<'a> for Guest<'a> {
    #[inline]
    fn subject(&self) -> Option<Subject<'a>> {
        // SAFETY: the callback that has called us goes on when `'a` has ended.
        unsafe { self.0.data().current.subject() }
    }

    #[inline]
    fn peer(&self) -> Option<&'a Peer<'a>> {
        // SAFETY: as above.
        unsafe { self.0.data().current.peer() }
    }
}
