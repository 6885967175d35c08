//! One session's use of an upstream.

use std::ffi::c_void;

use wick_native::stream::session::Session;

use super::transport::STREAM;
use crate::attempts::peer::Peer;
use crate::conf::chain::Chain;
use crate::conf::upstream::Upstream;
use crate::contexts::Contexts;
use crate::subject::Subject;
use crate::upstream::ask::Asking;
use crate::worker::Worker;

/// What nginx's connection of a session refers to; in the session's pool.
pub struct Selection<'s> {
    pub session: Session<'s>,
    pub peer: Peer<'s>,
    contexts: Contexts<'s>,
}

impl<'s> Selection<'s> {
    pub fn new(
        worker: &'static Worker,
        session: Session<'s>,
        chain: &'s Chain,
        upstream: &'s Upstream,
    ) -> Selection<'s> {
        let subject = Subject::from(session);
        Selection {
            session,
            peer: Peer::new(subject, chain, upstream, &STREAM),
            contexts: Contexts::new(subject, chain, worker),
        }
    }

    /// # Safety
    /// `data` is a Selection that nginx's connection of a session got, and the session lives for `'s`.
    pub unsafe fn of(data: *mut c_void) -> &'s Selection<'s> {
        // SAFETY: the caller's promise; it lives as long as the session.
        unsafe { &*data.cast::<Selection<'s>>() }
    }

    pub fn asking(&'s self) -> Asking<'s> {
        Asking { worker: self.contexts.worker, peer: &self.peer, contexts }
    }
}

fn contexts<'s>(peer: &Peer<'s>, _: &'static Worker) -> Option<&'s Contexts<'s>> {
    let session = peer.subject.session()?;
    // SAFETY: a peer of a session is that of the Selection which its connection got.
    Some(unsafe { &Selection::of(session.upstream()?.as_ref().peer.data).contexts })
}
