//! What OpenSSL calls.

use std::ffi::{c_int, c_void};

use ngx::ffi::{
    SSL, SSL_CLIENT_HELLO_ERROR, SSL_CLIENT_HELLO_SUCCESS, SSL_TLSEXT_ERR_NOACK, SSL_TLSEXT_ERR_OK,
    SSL_client_hello_cb_fn,
};
use wick_native::guard::guard;
use wick_native::tls::{Alert, Callbacks, Connection, chained_client_hello};

use super::server::TlsServer;

/// For contexts whose argument is a [`TlsServer`].
pub const ALL: Callbacks = Callbacks { client_hello, certificate, status };

/// # Safety
/// OpenSSL calls with a live connection, and with the argument of its context.
unsafe fn called<'a>(ssl: *mut SSL, server: *mut c_void) -> (Connection<'a>, &'a TlsServer) {
    // SAFETY: the caller's promise.
    unsafe { (Connection::from_raw(ssl), &*server.cast::<TlsServer>()) }
}

unsafe extern "C" fn client_hello(ssl: *mut SSL, alert: *mut c_int, server: *mut c_void) -> c_int {
    let begun = guard(Err(Alert::InternalError), || {
        // SAFETY: OpenSSL is calling, in its callback of the ClientHello.
        unsafe {
            let (connection, server) = called(ssl, server);
            server.begin(connection, connection.server_name_extension())
        }
    });
    // SAFETY: as above.
    unsafe { go_on(begun, ssl, alert) }
}

/// What the callback of a ClientHello answers.
///
/// # Safety
/// With what OpenSSL has called it.
pub unsafe fn go_on(begun: Result<(), Alert>, ssl: *mut SSL, alert: *mut c_int) -> c_int {
    match (begun, next()) {
        // SAFETY: as OpenSSL would have called it; it does not use its argument.
        (Ok(()), Some(next)) => unsafe { next(ssl, alert, std::ptr::null_mut()) },
        (Ok(()), None) => SSL_CLIENT_HELLO_SUCCESS as c_int,
        (Err(why), _) => {
            // SAFETY: OpenSSL's place for the alert.
            unsafe { *alert = why.code() };
            SSL_CLIENT_HELLO_ERROR as c_int
        }
    }
}

/// nginx's own callback, where it has one.
fn next() -> SSL_client_hello_cb_fn {
    use std::sync::OnceLock;
    static NEXT: OnceLock<SSL_client_hello_cb_fn> = OnceLock::new();
    *NEXT.get_or_init(chained_client_hello)
}

unsafe extern "C" fn certificate(ssl: *mut SSL, server: *mut c_void) -> c_int {
    guard(0, || {
        // SAFETY: OpenSSL is calling.
        let (connection, server) = unsafe { called(ssl, server) };
        server.choose(connection).is_ok().into()
    })
}

unsafe extern "C" fn status(ssl: *mut SSL, server: *mut c_void) -> c_int {
    guard(SSL_TLSEXT_ERR_NOACK as c_int, || {
        // SAFETY: OpenSSL is calling.
        let (connection, server) = unsafe { called(ssl, server) };
        let has_staple = server.staple(connection).unwrap_or(false);
        (if has_staple { SSL_TLSEXT_ERR_OK } else { SSL_TLSEXT_ERR_NOACK }) as c_int
    })
}
