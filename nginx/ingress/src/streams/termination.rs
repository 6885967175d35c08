//! TLS of clients that ends here: what handshakes of all ports are made with.
//!
//! One server of `stream`, which nobody connects to, has the context with everything that all ports have in common; a session whose record says so
//! gets that server's configuration of TLS, and nginx makes the handshake. Certificates, what clients are asked for and protocols are those of the
//! record.

use std::ffi::c_void;
use std::ptr::NonNull;
use std::rc::Rc;

use wick_native::conf::Conf;
use wick_native::stream::tls::{context_in, slot};
use wick_native::zone::SharedZone;

use super::settings::SrvConfs;
use crate::tls::ready::Preparing;
use crate::tls::shelf::Shelf;

pub struct Termination {
    /// The server's configuration of TLS, and the slot where sessions have theirs.
    pub conf: NonNull<c_void>,
    pub slot: usize,
    pub shelf: Rc<Shelf>,
    /// What tells sessions of this context from others'.
    identity: Box<[u8]>,
}

/// Why there is none.
pub const NO_CONTEXT: &str = "\"ingress_stream_certificates\" needs a server with \"ssl_certificate\" and a \"listen\" with \"ssl\"";

impl Termination {
    /// `None`: the server has no context.
    ///
    /// # Safety
    /// The parser is inside `stream`, and has merged the configurations of that server, which live as long as what is made.
    pub unsafe fn new(conf: Conf, server: SrvConfs, zone: SharedZone) -> Option<Termination> {
        // SAFETY: the caller's promise.
        unsafe {
            let slot = slot(conf)?;
            let own = NonNull::new(*server.as_ptr().add(slot))?;
            let identity = context_in(own)?.identity().into();
            Some(Termination { conf: own, slot, shelf: Rc::new(Shelf::new(zone)), identity })
        }
    }

    pub fn preparing(&self) -> Preparing<'_> {
        Preparing { shelf: &self.shelf, identity: &self.identity }
    }
}
