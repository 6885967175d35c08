//! What the client of a connection has shown of itself, as nginx's own variables and checks have it.

use std::borrow::Cow;
use std::ffi::{CStr, c_long};

use ngx::ffi::{
    SSL_get_session, SSL_get_verify_result, SSL_get0_peer_certificate, X509_V_ERR_CERT_UNTRUSTED,
    X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
    X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
    X509_V_OK, X509_verify_cert_error_string, ngx_connection_t, ngx_int_t, ngx_pool_t,
    ngx_ssl_get_client_verify, ngx_ssl_get_escaped_certificate, ngx_ssl_get_issuer_dn,
    ngx_ssl_get_subject_dn, ngx_ssl_remove_cached_session, ngx_str_t,
};

use super::connection::Connection;
use crate::code::OK;
use crate::request::Request;
use crate::text::{EMPTY, bytes};

/// The client of a request that came by TLS.
#[derive(Clone, Copy)]
pub struct Client<'r> {
    r: Request<'r>,
    connection: Connection<'r>,
}

/// Why a client's certificate does not hold: one of OpenSSL's `X509_V_ERR_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyError(c_long);

type Getter =
    unsafe extern "C" fn(*mut ngx_connection_t, *mut ngx_pool_t, *mut ngx_str_t) -> ngx_int_t;

impl<'r> Client<'r> {
    /// `None` for a request in plain text.
    pub fn of(r: Request<'r>) -> Option<Client<'r>> {
        Connection::of(r).map(|connection| Client { r, connection })
    }

    pub fn has_certificate(self) -> bool {
        // SAFETY: a live connection; the certificate stays the connection's.
        unsafe { !SSL_get0_peer_certificate(self.connection.as_ptr()).is_null() }
    }

    /// # Errors: the certificate does not hold. Without a certificate there is none.
    pub fn verified(self) -> Result<(), VerifyError> {
        // SAFETY: a live connection.
        match unsafe { SSL_get_verify_result(self.connection.as_ptr()) } {
            result if result == X509_V_OK.into() => Ok(()),
            error => Err(VerifyError(error)),
        }
    }

    /// The session of this connection is not resumed any more, as far as it is in nginx's cache.
    pub fn forget_session(self) {
        // SAFETY: a live connection with TLS; nginx looks the session up in the cache of its context.
        unsafe {
            let session = SSL_get_session(self.connection.as_ptr());
            let ssl = (*(*self.r.as_ptr()).connection).ssl;
            if !session.is_null() {
                ngx_ssl_remove_cached_session((*ssl).session_ctx, session);
            }
        }
    }

    /// `$ssl_client_verify`: `SUCCESS`, `NONE` or `FAILED:` and why. `None`: out of memory.
    pub fn verify(self) -> Option<&'r [u8]> {
        self.get(ngx_ssl_get_client_verify)
    }

    /// `$ssl_client_s_dn`: the subject's distinguished name (RFC 2253), in printable ASCII; empty without a certificate.
    /// `None`: out of memory.
    pub fn subject(self) -> Option<&'r [u8]> {
        self.get(ngx_ssl_get_subject_dn)
    }

    /// `$ssl_client_i_dn`: the same of the issuer.
    pub fn issuer(self) -> Option<&'r [u8]> {
        self.get(ngx_ssl_get_issuer_dn)
    }

    /// `$ssl_client_escaped_cert`: the certificate in PEM, escaped as in a URL; empty without one. `None`: out of memory.
    pub fn escaped_certificate(self) -> Option<&'r [u8]> {
        self.get(ngx_ssl_get_escaped_certificate)
    }

    fn get(self, getter: Getter) -> Option<&'r [u8]> {
        let mut text = EMPTY;
        // SAFETY: a live connection with TLS; what is made lives as long as the request.
        unsafe {
            let (connection, pool) = ((*self.r.as_ptr()).connection, (*self.r.as_ptr()).pool);
            (getter(connection, pool, &mut text) == OK).then(|| bytes(text))
        }
    }
}

impl VerifyError {
    pub(super) fn new(code: c_long) -> VerifyError {
        VerifyError(code)
    }

    /// Says only that nobody known has signed the certificate: nginx's `ngx_ssl_verify_error_optional`.
    pub fn is_about_issuer(self) -> bool {
        const ABOUT_ISSUER: [u32; 5] = [
            X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_CERT_UNTRUSTED,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
        ];
        ABOUT_ISSUER.iter().any(|error| c_long::from(*error) == self.0)
    }

    pub fn code(self) -> c_long {
        self.0
    }

    /// OpenSSL's words.
    pub fn reason(self) -> Cow<'static, str> {
        // SAFETY: a text that is never freed, whatever the number is.
        unsafe { CStr::from_ptr(X509_verify_cert_error_string(self.0)) }.to_string_lossy()
    }
}
