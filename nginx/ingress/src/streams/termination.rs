//! TLS of clients that ends here: what handshakes of all ports are made with, and OpenSSL's callbacks for them.
//!
//! One server of `stream`, which nobody connects to, has the context with everything that all ports have in common; a session whose record says so
//! gets that server's configuration of TLS, and nginx makes the handshake. Certificates, what clients are asked for and protocols are those of the
//! record.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::NonNull;
use std::rc::Rc;
use std::slice::from_raw_parts;

use ngx::ffi::{
    OPENSSL_NPN_NEGOTIATED, SSL, SSL_TLSEXT_ERR_ALERT_FATAL, SSL_TLSEXT_ERR_NOACK,
    SSL_TLSEXT_ERR_OK, SSL_select_next_proto,
};
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::stream::session::Session;
use wick_native::stream::tls::{context_in, session_of, slot};
use wick_native::tls::{Alert, Callbacks, Connection, Failure, Unverified};
use wick_native::zone::SharedZone;
use wick_tls::{MAX_NAME_BYTES, Verify, name_in_extension, normalise};

use super::session::{Kept, kept};
use super::settings::SrvConfs;
use crate::tls::callbacks::go_on;
use crate::tls::handshake::Handshake;
use crate::tls::ready::{Preparing, ReadyHost};
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

    /// Sets the callbacks of its context. `None`: it has none any more.
    ///
    /// # Safety
    /// It lives as long as the configuration.
    pub unsafe fn install(&self) -> Option<()> {
        let callbacks = Callbacks { client_hello, certificate, status };
        let argument = std::ptr::from_ref(self).cast_mut().cast();
        // SAFETY: the caller's promise.
        unsafe {
            let context = context_in(self.conf)?;
            context.set_callbacks(&callbacks, argument);
            context.set_alpn(protocol, argument);
        }
        Some(())
    }

    pub fn preparing(&self) -> Preparing<'_> {
        Preparing { shelf: &self.shelf, identity: &self.identity }
    }

    /// At the ClientHello: what it is about stays with the connection, and separates its sessions from others'.
    fn begin(&self, connection: Connection, kept: &Kept) -> Result<(), Alert> {
        let host = kept.tls_host(self).ok_or(Alert::InternalError)?;
        host.separate_sessions(connection).map_err(|_| Alert::InternalError)?;
        // SAFETY: OpenSSL is calling, in its callback of the ClientHello.
        let sent = unsafe { connection.server_name_extension() }.and_then(name_in_extension);
        let mut buffer = [0; MAX_NAME_BYTES];
        let name = sent.and_then(|sent| normalise(sent, &mut buffer)).or(sent);
        let handshake = Handshake::new(Some(host), name);
        // SAFETY: nothing in this callback has asked for an earlier one's.
        unsafe { handshake.keep(connection) }.map_err(|_| Alert::InternalError)
    }

    /// When a certificate is needed, which is not where a session is resumed. Says whether there is one.
    ///
    /// # Errors: out of memory. The handshake must not go on.
    fn choose(&self, connection: Connection, s: Session, kept: &Kept) -> Result<bool, Failure> {
        let Some(handshake) = Handshake::of(connection) else { return Ok(false) };
        let Some(host) = handshake.host() else { return Ok(false) };
        host.set_up(connection, &self.shelf, unverified(host))?;
        // The zone may have changed since the record was read, so that its pairs are gone.
        let look_again = || kept.tls_host_now(s, self, handshake.server_name());
        let again = host.lacks_any(&self.shelf).then(look_again).flatten();
        let offers = again.as_ref().unwrap_or(host);
        offers.tell_missing_pairs();
        let is_offered = offers.offer(connection, &self.shelf) > 0;
        let _ = handshake.offers().set(offers.clone());
        Ok(is_offered)
    }
}

/// A client is refused by the handshake, as nobody else looks at its certificate.
fn unverified(host: &ReadyHost) -> Unverified {
    match host.asks().map(|asked| asked.verify) {
        None => Unverified::GoesOn,
        Some(Verify::On | Verify::Required) => Unverified::Ends,
        Some(Verify::Optional) => Unverified::EndsIfShown,
        Some(Verify::OptionalNoCa) => Unverified::EndsIfWrong,
    }
}

/// # Safety
/// OpenSSL calls with a live connection of a session, and with the argument of its context.
unsafe fn called<'a>(
    ssl: *mut SSL,
    argument: *mut c_void,
) -> (Connection<'a>, &'a Termination, Option<(Session<'a>, &'a Kept<'a>)>) {
    // SAFETY: the caller's promise.
    unsafe {
        let connection = Connection::from_raw(ssl);
        let session = session_of(connection).and_then(|s| Some((s, kept(s)?)));
        (connection, &*argument.cast::<Termination>(), session)
    }
}

unsafe extern "C" fn client_hello(
    ssl: *mut SSL,
    alert: *mut c_int,
    argument: *mut c_void,
) -> c_int {
    let begun = guard(Err(Alert::InternalError), || {
        // SAFETY: OpenSSL is calling.
        let (connection, termination, session) = unsafe { called(ssl, argument) };
        let (_, kept) = session.ok_or(Alert::InternalError)?;
        termination.begin(connection, kept)
    });
    // SAFETY: as above.
    unsafe { go_on(begun, ssl, alert) }
}

unsafe extern "C" fn certificate(ssl: *mut SSL, argument: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: OpenSSL is calling.
        let (connection, termination, session) = unsafe { called(ssl, argument) };
        let Some((s, kept)) = session else { return 0 };
        termination.choose(connection, s, kept).unwrap_or(false).into()
    })
}

unsafe extern "C" fn status(ssl: *mut SSL, argument: *mut c_void) -> c_int {
    guard(SSL_TLSEXT_ERR_NOACK as c_int, || {
        // SAFETY: OpenSSL is calling.
        let (connection, termination, _) = unsafe { called(ssl, argument) };
        let staple = |it: &Handshake| it.staple(connection, &termination.shelf).unwrap_or(false);
        let has_staple = Handshake::of(connection).is_some_and(staple);
        (if has_staple { SSL_TLSEXT_ERR_OK } else { SSL_TLSEXT_ERR_NOACK }) as c_int
    })
}

/// The first of the record's protocols that the client has, too.
unsafe extern "C" fn protocol(
    ssl: *mut SSL,
    chosen: *mut *const u8,
    chosen_len: *mut u8,
    theirs: *const u8,
    len: c_uint,
    argument: *mut c_void,
) -> c_int {
    guard(SSL_TLSEXT_ERR_ALERT_FATAL as c_int, || {
        // SAFETY: OpenSSL is calling, with protocols that it has checked, and places for one.
        unsafe {
            let (_, _, session) = called(ssl, argument);
            let tls = session.and_then(|(_, kept)| kept.target()?.tls.as_ref());
            let Some(ours) = tls.map(|tls| &tls.alpn).filter(|ours| !ours.is_empty()) else {
                return SSL_TLSEXT_ERR_NOACK as c_int;
            };
            let theirs = from_raw_parts(theirs, len as usize);
            let mut found = std::ptr::null_mut();
            let (first, own, client) = (&mut found, ours.as_ptr(), theirs.as_ptr());
            let answer =
                SSL_select_next_proto(first, chosen_len, own, ours.len() as c_uint, client, len);
            *chosen = found;
            let is_common = answer == OPENSSL_NPN_NEGOTIATED as c_int;
            (if is_common { SSL_TLSEXT_ERR_OK } else { SSL_TLSEXT_ERR_ALERT_FATAL }) as c_int
        }
    })
}
