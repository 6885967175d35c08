//! OpenSSL's callbacks for handshakes of sessions: with clients whose TLS ends here, and with endpoints.

use std::ffi::{c_int, c_uint, c_void};
use std::slice::from_raw_parts;

use ngx::ffi::{
    OPENSSL_NPN_NEGOTIATED, SSL, SSL_TLSEXT_ERR_ALERT_FATAL, SSL_TLSEXT_ERR_NOACK,
    SSL_TLSEXT_ERR_OK, SSL_select_next_proto, X509_STORE_CTX,
};
use wick_native::guard::guard;
use wick_native::stream::session::Session;
use wick_native::stream::tls::{context_in, context_of, session_of};
use wick_native::tls::{
    Alert, Callbacks, Connection, EndpointCallbacks, Failure, Shown, Unverified,
};
use wick_streams::BackendTls;
use wick_tls::{MAX_NAME_BYTES, Verify, name_in_extension, normalise};

use super::reencryption::{ReadyEndpoint, Reencryption};
use super::session::{Kept, kept};
use super::termination::Termination;
use crate::tls::callbacks::go_on;
use crate::tls::handshake::Handshake;
use crate::tls::ready::ReadyHost;

/// Sets the callbacks for clients. `None`: there is no context.
///
/// # Safety
/// It lives as long as the configuration.
pub unsafe fn terminate(termination: &Termination) -> Option<()> {
    let callbacks = Callbacks { client_hello, certificate, status };
    let argument = std::ptr::from_ref(termination).cast_mut().cast();
    // SAFETY: the caller's promise.
    unsafe {
        let context = context_in(termination.conf)?;
        context.set_callbacks(&callbacks, argument);
        context.set_alpn(protocol, argument);
    }
    Some(())
}

/// Sets the callbacks for endpoints. `None`: there is no context.
///
/// # Safety
/// It lives as long as the configuration.
pub unsafe fn reencrypt(reencryption: &Reencryption) -> Option<()> {
    let argument = std::ptr::from_ref(reencryption).cast_mut().cast();
    // SAFETY: the caller's promise.
    unsafe {
        let context = context_of(reencryption.context.ssl)?;
        context.set_endpoint_callbacks(
            &EndpointCallbacks { verify, certificate: shown_certificate },
            argument,
        );
    }
    Some(())
}

/// At the ClientHello: what it is about stays with the connection, and separates its sessions from others'.
fn begin(termination: &Termination, connection: Connection, kept: &Kept) -> Result<(), Alert> {
    let host = kept.tls_host(termination).ok_or(Alert::InternalError)?;
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
fn choose(
    termination: &Termination,
    connection: Connection,
    s: Session,
    kept: &Kept,
) -> Result<bool, Failure> {
    let Some(handshake) = Handshake::of(connection) else { return Ok(false) };
    let Some(host) = handshake.host() else { return Ok(false) };
    host.set_up(connection, &termination.shelf, unverified(host))?;
    // The zone may have changed since the record was read, so that its pairs are gone.
    let look_again = || kept.tls_host_now(s, termination, handshake.server_name());
    let again = host.lacks_any(&termination.shelf).then(look_again).flatten();
    let offers = again.as_ref().unwrap_or(host);
    offers.tell_missing_pairs();
    let is_offered = offers.offer(connection, &termination.shelf) > 0;
    let _ = handshake.offers().set(offers.clone());
    Ok(is_offered)
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
        begin(termination, connection, kept)
    });
    // SAFETY: as above.
    unsafe { go_on(begun, ssl, alert) }
}

unsafe extern "C" fn certificate(ssl: *mut SSL, argument: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: OpenSSL is calling.
        let (connection, termination, session) = unsafe { called(ssl, argument) };
        let Some((s, kept)) = session else { return 0 };
        choose(termination, connection, s, kept).unwrap_or(false).into()
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

unsafe extern "C" fn shown_certificate(ssl: *mut SSL, argument: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: as above.
        unsafe {
            let connection = Connection::from_raw(ssl);
            let Some((wanted, ready)) = asked(connection) else { return 0 };
            (*argument.cast::<Reencryption>()).show(connection, wanted, ready).into()
        }
    })
}
