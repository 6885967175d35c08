//! TLS of sessions: contexts that nginx's stream module has made, and whose handshakes these are.

use std::ffi::c_void;
use std::mem::offset_of;
use std::ptr::NonNull;

use ngx::ffi::{SSL_CTX, SSL_get_ex_data, ngx_connection_t, ngx_ssl_connection_index, ngx_ssl_t};

use super::session::Session;
use crate::bits;
use crate::conf::Conf;
use crate::measure::module_named;
use crate::tls::{Connection, Context};

/// Where servers keep the configuration of the module that ends clients' TLS. `None`: this nginx has none.
///
/// # Safety
/// The parser is running.
pub unsafe fn slot(conf: Conf) -> Option<usize> {
    // SAFETY: the caller's promise; a module of nginx's.
    unsafe { Some(module_named(conf, c"ngx_stream_ssl_module")?.as_ref().ctx_index) }
}

/// The context in such a configuration. `None`: its server has no `listen` with `ssl`.
///
/// # Safety
/// What lies in a server's slot of that module, merged; the context lives as long as the handle is used.
pub unsafe fn context_in(server: NonNull<c_void>) -> Option<Context> {
    let offset = bits::TLS_IN_STREAM_CONF + offset_of!(ngx_ssl_t, ctx);
    // SAFETY: the caller's promise; the compiler of this nginx has it there.
    unsafe { Context::from_raw(server.byte_add(offset).cast::<*mut SSL_CTX>().read()) }
}

/// The context that `proxy_ssl` has made. `None`: it has none.
///
/// # Safety
/// Such a structure of nginx's, which lives as long as the handle is used.
pub unsafe fn context_of(ssl: NonNull<ngx_ssl_t>) -> Option<Context> {
    // SAFETY: the caller's promise.
    unsafe { Context::from_raw(ssl.as_ref().ctx) }
}

/// Whose handshake it is, be it with the client or with an endpoint.
///
/// # Safety
/// The connection is one of `stream`, whose session does not end before `'s`.
pub unsafe fn session_of<'s>(connection: Connection<'s>) -> Option<Session<'s>> {
    // SAFETY: nginx leaves its connection at that of OpenSSL, and the session at both of its connections.
    unsafe {
        let c = SSL_get_ex_data(connection.as_ptr(), ngx_ssl_connection_index);
        let session = (*NonNull::new(c.cast::<ngx_connection_t>())?.as_ptr()).data;
        Some(Session::from_raw(NonNull::new(session.cast())?.as_ptr()))
    }
}
