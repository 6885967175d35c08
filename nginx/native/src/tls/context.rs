//! The context of a server block, from which its connections are made.

use std::ffi::{CStr, c_int, c_uint, c_void};
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    EVP_sha256, OPENSSL_sk_num, OPENSSL_sk_value, SSL, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB,
    SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB_ARG, SSL_CTX, SSL_CTX_callback_ctrl, SSL_CTX_ctrl,
    SSL_CTX_free, SSL_CTX_get_client_CA_list, SSL_CTX_get_verify_mode, SSL_CTX_get0_certificate,
    SSL_CTX_new, SSL_CTX_set_alpn_select_cb, SSL_CTX_set_cert_cb, SSL_CTX_set_cipher_list,
    SSL_CTX_set_client_hello_cb, SSL_CTX_set_session_id_context, SSL_client_hello_cb_fn,
    TLS_method, X509_NAME_get0_der, X509_digest,
};

use super::failure::Failure;

/// A server block's context, as nginx made it.
#[derive(Clone, Copy)]
pub struct Context(NonNull<SSL_CTX>);

/// What OpenSSL calls for each handshake, with the argument that they are set with.
pub struct Callbacks {
    pub client_hello: unsafe extern "C" fn(*mut SSL, *mut c_int, *mut c_void) -> c_int,
    pub certificate: unsafe extern "C" fn(*mut SSL, *mut c_void) -> c_int,
    pub status: unsafe extern "C" fn(*mut SSL, *mut c_void) -> c_int,
}

/// OpenSSL's callback for a server's protocol: connection, place for the protocol and its length, the client's protocols, argument.
pub type ChooseProtocol = unsafe extern "C" fn(
    *mut SSL,
    *mut *const u8,
    *mut u8,
    *const u8,
    c_uint,
    *mut c_void,
) -> c_int;

impl Context {
    /// # Safety
    /// Null, or live as long as the handle is used.
    pub unsafe fn from_raw(context: *mut SSL_CTX) -> Option<Context> {
        NonNull::new(context).map(Context)
    }

    pub(super) fn as_ptr(self) -> *mut SSL_CTX {
        self.0.as_ptr()
    }

    /// # Safety
    /// `argument` is what the callbacks take it for, for as long as the context lives.
    pub unsafe fn set_callbacks(self, callbacks: &Callbacks, argument: *mut c_void) {
        let context = self.0.as_ptr();
        // SAFETY: a live context; OpenSSL's untyped setter gives the callback the type it has in SSL_CTX.
        unsafe {
            SSL_CTX_set_client_hello_cb(context, Some(callbacks.client_hello), argument);
            SSL_CTX_set_cert_cb(context, Some(callbacks.certificate), argument);
            let status = std::mem::transmute::<
                unsafe extern "C" fn(*mut SSL, *mut c_void) -> c_int,
                unsafe extern "C" fn(),
            >(callbacks.status);
            SSL_CTX_callback_ctrl(
                context,
                SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB as c_int,
                Some(status),
            );
            SSL_CTX_ctrl(context, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB_ARG as c_int, 0, argument);
        }
    }

    /// Has `choose` choose a protocol (ALPN) for each handshake.
    ///
    /// # Safety
    /// As for [`Context::set_callbacks`].
    pub unsafe fn set_alpn(self, choose: ChooseProtocol, argument: *mut c_void) {
        // SAFETY: a live context; the caller's promise.
        unsafe { SSL_CTX_set_alpn_select_cb(self.0.as_ptr(), Some(choose), argument) };
    }

    /// No connection of it takes up a session that another context's has made: the handshake ends.
    pub fn separate_sessions(self) {
        let own = self.0.addr().get().to_ne_bytes();
        // SAFETY: a live context; the bytes are copied, and are fewer than fit.
        unsafe {
            SSL_CTX_set_session_id_context(self.0.as_ptr(), own.as_ptr(), own.len() as c_uint)
        };
    }

    /// What sessions of this server block have in common, as nginx tells them apart: its certificate, and what it asks of
    /// clients itself.
    pub fn identity(self) -> Vec<u8> {
        let mut identity = vec![0; 32];
        // SAFETY: a live context; a digest of this kind has 32 bytes.
        unsafe {
            let certificate = SSL_CTX_get0_certificate(self.0.as_ptr());
            if !certificate.is_null() {
                X509_digest(certificate, EVP_sha256(), identity.as_mut_ptr(), null_mut::<c_uint>());
            }
            identity.extend(SSL_CTX_get_verify_mode(self.0.as_ptr()).to_le_bytes());
        }
        self.client_authorities(&mut identity);
        identity
    }

    /// Appends the names of the authorities that the server block asks for.
    fn client_authorities(self, identity: &mut Vec<u8>) {
        // SAFETY: a live context; its list, which may be null, holds names.
        unsafe {
            let names = SSL_CTX_get_client_CA_list(self.0.as_ptr()).cast_const().cast();
            for index in 0..OPENSSL_sk_num(names) {
                let (mut der, mut len) = (std::ptr::null(), 0);
                X509_NAME_get0_der(OPENSSL_sk_value(names, index).cast(), &mut der, &mut len);
                if !der.is_null() {
                    identity.extend_from_slice(std::slice::from_raw_parts(der, len));
                }
            }
        }
    }
}

/// A context of our own to try lists of ciphers on: a connection that refused one would be left without any.
pub struct CipherCheck(NonNull<SSL_CTX>);

impl CipherCheck {
    /// # Errors: out of memory.
    pub fn new() -> Result<CipherCheck, Failure> {
        // SAFETY: the new context is ours.
        let context = unsafe { SSL_CTX_new(TLS_method()) };
        NonNull::new(context).map(CipherCheck).ok_or_else(Failure::take)
    }

    /// # Errors: the list has nothing that OpenSSL knows, or cannot be read.
    pub fn check(&self, list: &CStr) -> Result<(), Failure> {
        // SAFETY: a live context.
        let taken = unsafe { SSL_CTX_set_cipher_list(self.0.as_ptr(), list.as_ptr()) } == 1;
        if taken { Ok(()) } else { Err(Failure::take()) }
    }
}

impl Drop for CipherCheck {
    fn drop(&mut self) {
        // SAFETY: ours.
        unsafe { SSL_CTX_free(self.0.as_ptr()) };
    }
}

/// nginx's own callback of the ClientHello, which it has since 1.29.2 and has to be called after another one that takes
/// its place. It finds its argument at the context.
pub fn chained_client_hello() -> SSL_client_hello_cb_fn {
    type Callback = unsafe extern "C" fn(*mut SSL, *mut c_int, *mut c_void) -> c_int;
    // SAFETY: nginx exports its functions to modules; one of this name has this type.
    unsafe {
        let found = libc::dlsym(libc::RTLD_DEFAULT, c"ngx_ssl_client_hello_callback".as_ptr());
        (!found.is_null()).then(|| std::mem::transmute::<*mut c_void, Callback>(found))
    }
}
