//! TLS towards endpoints: whom an endpoint's certificate has to be of, and what it is shown, are data of the record.
//!
//! One context, that of the server with `ingress_stream_certificates`, makes all of these handshakes. nginx makes them; OpenSSL asks here whether
//! what the endpoint shows holds.

use std::cell::OnceCell;
use std::ffi::{c_int, c_void};
use std::rc::Rc;

use ngx::ffi::{SSL, X509_STORE_CTX};
use wick_native::guard::guard;
use wick_native::stream::session::Session;
use wick_native::stream::tls::{context_of, session_of};
use wick_native::tls::{Connection, EndpointCallbacks, Shown};
use wick_streams::BackendTls;

use super::session::{Kept, kept};
use super::settings::TlsContext;
use crate::tls::named::Named;
use crate::tls::pair::ReadyPair;
use crate::tls::shelf::{ReadyAuthority, Shelf};

pub struct Reencryption {
    pub context: TlsContext,
    shelf: Rc<Shelf>,
}

/// What a record says of its endpoints' TLS, and what was parsed of that so far.
#[derive(Default)]
pub struct ReadyEndpoint {
    authority: OnceCell<Named<ReadyAuthority>>,
    pair: OnceCell<Named<ReadyPair>>,
}

impl Reencryption {
    pub fn new(context: TlsContext, shelf: Rc<Shelf>) -> Reencryption {
        Reencryption { context, shelf }
    }

    /// Sets the callbacks of the context. `None`: there is none.
    ///
    /// # Safety
    /// It lives as long as the configuration.
    pub unsafe fn install(&self) -> Option<()> {
        let argument = std::ptr::from_ref(self).cast_mut().cast();
        // SAFETY: the caller's promise.
        unsafe {
            let context = context_of(self.context.ssl)?;
            context.set_endpoint_callbacks(&EndpointCallbacks { verify, certificate }, argument);
        }
        Some(())
    }

    fn holds(&self, shown: &Shown, wanted: &BackendTls, ready: &ReadyEndpoint) -> bool {
        let Some(id) = &wanted.authority else { return true };
        let named = ready.authority.get_or_init(|| {
            let known = self.shelf.known_authority(id);
            Named::new(id.clone(), known)
        });
        let host = wanted.server_name.as_deref().unwrap_or(b"");
        let Some(authority) = named.find(host, |id| self.shelf.authority(id)) else {
            named.tell_missing(host);
            return shown.refuse();
        };
        let own = wanted.server_name.as_slice().iter().map(|name| &**name);
        let others = wanted.alternative_names.iter().map(|name| &**name);
        let names: Vec<&[u8]> = match wanted.alternative_names.is_empty() {
            true => own.collect(),
            false => others.collect(),
        };
        shown.holds(&authority.store, wanted.depth, &names)
    }

    fn show(&self, connection: Connection, wanted: &BackendTls, ready: &ReadyEndpoint) -> bool {
        let Some(id) = &wanted.certificate else { return true };
        let named = ready.pair.get_or_init(|| {
            let known = self.shelf.known_pair(id);
            Named::new(id.clone(), known)
        });
        let host = wanted.server_name.as_deref().unwrap_or(b"");
        match named.find(host, |id| self.shelf.pair(id)) {
            Some(pair) => pair.offer(connection).is_ok(),
            None => {
                named.tell_missing(host);
                false
            }
        }
    }
}

/// # Safety
/// The connection is one with an endpoint of a session of `stream`.
unsafe fn asked<'a>(connection: Connection<'a>) -> Option<(&'a BackendTls, &'a ReadyEndpoint)> {
    // SAFETY: the caller's promise.
    let s: Session<'a> = unsafe { session_of(connection)? };
    let kept: &Kept<'a> = kept(s)?;
    Some((kept.target()?.backend_tls.as_ref()?, kept.endpoint()?))
}

unsafe extern "C" fn verify(chain: *mut X509_STORE_CTX, argument: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: OpenSSL is calling, with the argument of the context.
        unsafe {
            let Some(shown) = Shown::from_raw(chain) else { return 0 };
            let Some((wanted, ready)) = asked(shown.connection) else { return 0 };
            (*argument.cast::<Reencryption>()).holds(&shown, wanted, ready).into()
        }
    })
}

unsafe extern "C" fn certificate(ssl: *mut SSL, argument: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: as above.
        unsafe {
            let connection = Connection::from_raw(ssl);
            let Some((wanted, ready)) = asked(connection) else { return 0 };
            (*argument.cast::<Reencryption>()).show(connection, wanted, ready).into()
        }
    })
}
