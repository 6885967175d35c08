//! The TLS side of one connection, as its callbacks see it: a `Copy` handle.

use std::ffi::{CStr, c_int};
use std::marker::PhantomData;
use std::net::SocketAddr;
use std::ptr::{NonNull, copy_nonoverlapping, null_mut};

use ngx::ffi::{
    CRYPTO_free, CRYPTO_malloc, SSL, SSL_AD_INTERNAL_ERROR, SSL_AD_UNRECOGNIZED_NAME,
    SSL_CTRL_GET_CHAIN_CERTS, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP,
    SSL_CTRL_SET_VERIFY_CERT_STORE, SSL_CTX_ctrl, SSL_CTX_get0_certificate,
    SSL_CTX_get0_privatekey, SSL_VERIFY_FAIL_IF_NO_PEER_CERT, SSL_VERIFY_PEER, SSL_certs_clear,
    SSL_clear_options, SSL_client_hello_get0_ext, SSL_ctrl, SSL_get_SSL_CTX, SSL_get_certificate,
    SSL_get_ex_data, SSL_set_cipher_list, SSL_set_client_CA_list, SSL_set_options,
    SSL_set_session_id_context, SSL_set_verify, SSL_set_verify_depth, SSL_use_cert_and_key,
    TLSEXT_TYPE_server_name, X509, X509_STORE_CTX, X509_STORE_CTX_get_error,
    ngx_ssl_connection_index, stack_st_X509,
};

use super::certificate::{Certificate, Chain, Key};
use super::digest::Digest;
use super::failure::Failure;
use super::names::Names;
use super::store::Store;
use super::verify_error::VerifyError;
use crate::connection::Connection as Accepted;
use crate::request::Request;

/// `SSL_OP_CIPHER_SERVER_PREFERENCE`, a macro that bindings cannot have.
const CIPHER_SERVER_PREFERENCE: u64 = 1 << 22;

/// What a handshake is refused with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alert {
    UnrecognizedName,
    InternalError,
}

impl Alert {
    /// RFC 8446, 6.
    pub fn code(self) -> c_int {
        match self {
            Alert::UnrecognizedName => SSL_AD_UNRECOGNIZED_NAME as c_int,
            Alert::InternalError => SSL_AD_INTERNAL_ERROR as c_int,
        }
    }
}

/// What comes from the handle is good for `'c`.
#[derive(Clone, Copy)]
pub struct Connection<'c>(NonNull<SSL>, PhantomData<&'c SSL>);

impl<'c> Connection<'c> {
    /// # Safety
    /// `ssl` is live, and is not freed before `'c` ends.
    pub unsafe fn from_raw(ssl: *mut SSL) -> Connection<'c> {
        // SAFETY: the caller's promise.
        Connection(unsafe { NonNull::new_unchecked(ssl) }, PhantomData)
    }

    /// That of a request; `None` for one in plain text. The streams of HTTP/2 share theirs.
    pub fn of(r: Request<'c>) -> Option<Connection<'c>> {
        // SAFETY: a live request has a connection; one with TLS has an SSL.
        unsafe {
            let ssl = (*(*r.as_ptr()).connection).ssl.as_ref()?;
            Some(Connection(NonNull::new(ssl.connection)?, PhantomData))
        }
    }

    /// What is encrypted. `None`: it is no connection of nginx's.
    pub fn accepted(self) -> Option<Accepted<'c>> {
        // SAFETY: nginx keeps the connection with the SSL, which does not outlive it.
        unsafe {
            let kept = SSL_get_ex_data(self.as_ptr(), ngx_ssl_connection_index);
            Some(Accepted::from_raw(NonNull::new(kept)?.cast().as_ptr()))
        }
    }

    /// Address and port of ours that the client has connected to. `None`: on a unix socket, or the kernel does not say.
    pub fn local_address(self) -> Option<SocketAddr> {
        self.accepted()?.local_address()
    }

    pub(crate) fn as_ptr(self) -> *mut SSL {
        self.0.as_ptr()
    }

    /// The content of the extension `server_name`.
    ///
    /// # Safety
    /// The callback of the ClientHello is running, and does not end before `'c`.
    pub unsafe fn server_name_extension(self) -> Option<&'c [u8]> {
        let (mut bytes, mut len) = (std::ptr::null(), 0);
        // SAFETY: the caller's promise; OpenSSL keeps the ClientHello while the callback runs.
        unsafe {
            let kind = TLSEXT_TYPE_server_name;
            let there = SSL_client_hello_get0_ext(self.as_ptr(), kind, &mut bytes, &mut len) == 1;
            (there && !bytes.is_null()).then(|| std::slice::from_raw_parts(bytes, len))
        }
    }

    /// From now on only sessions that were made under the same context are resumed.
    ///
    /// # Errors: never in practice; the length of a digest fits.
    pub fn set_session_context(self, context: &Digest) -> Result<(), Failure> {
        let len = context.len() as u32;
        // SAFETY: a live connection; the bytes are copied.
        done(unsafe { SSL_set_session_id_context(self.as_ptr(), context.as_ptr(), len) })
    }

    /// Takes all certificates away, those of the server block too.
    pub fn clear_certificates(self) {
        // SAFETY: a live connection.
        unsafe { SSL_certs_clear(self.as_ptr()) }
    }

    /// Offers a certificate, in the place of another one with the same type of key.
    ///
    /// # Errors: OpenSSL does not take it, for instance because its key is too short.
    pub fn add_certificate(
        self,
        certificate: &Certificate,
        key: &Key,
        chain: &Chain,
    ) -> Result<(), Failure> {
        // SAFETY: all are live; the connection takes references of its own.
        let taken = done(unsafe {
            let (certificate, key) = (certificate.as_ptr(), key.as_ptr());
            SSL_use_cert_and_key(self.as_ptr(), certificate, key, chain.as_ptr(), 1)
        });
        // Of a certificate that it takes it may have noted an extension that makes no sense.
        Failure::take();
        taken
    }

    /// Offers the server block's certificate again, after [`Connection::clear_certificates`].
    pub fn restore_certificate(self) {
        // SAFETY: a live connection has a context; what comes from it lives as long, and is shared by reference.
        unsafe {
            let context = SSL_get_SSL_CTX(self.as_ptr());
            let mut chain: *mut stack_st_X509 = null_mut();
            let place = (&raw mut chain).cast();
            SSL_CTX_ctrl(context, SSL_CTRL_GET_CHAIN_CERTS as c_int, 0, place);
            let certificate = SSL_CTX_get0_certificate(context);
            if !certificate.is_null() {
                let key = SSL_CTX_get0_privatekey(context);
                SSL_use_cert_and_key(self.as_ptr(), certificate, key, chain, 1);
            }
        }
        Failure::take();
    }

    /// The certificate that was chosen, while the callback for its status runs.
    pub fn certificate(self) -> *mut X509 {
        // SAFETY: a live connection.
        unsafe { SSL_get_certificate(self.as_ptr()) }
    }

    /// Asks the client for a certificate of these authorities.
    ///
    /// # Errors: out of memory.
    pub fn ask_client(
        self,
        store: &Store,
        names: &Names,
        depth: u32,
        unverified: Unverified,
    ) -> Result<(), Failure> {
        let ssl = self.as_ptr();
        let set_store = SSL_CTRL_SET_VERIFY_CERT_STORE as c_int;
        let (mode, callback) = unverified.mode();
        // SAFETY: all are live; the connection takes a reference to the store (1) and frees the names.
        unsafe {
            SSL_set_verify(ssl, mode as c_int, Some(callback));
            SSL_set_verify_depth(ssl, depth as c_int);
            done(SSL_ctrl(ssl, set_store, 1, store.as_ptr().cast()) as c_int)?;
            let names = names.copy();
            if names.is_null() {
                return Err(Failure::take());
            }
            SSL_set_client_CA_list(ssl, names);
        }
        Ok(())
    }

    /// The ciphers of TLS 1.2 and below.
    ///
    /// # Errors: OpenSSL does not take the list; what is in force then is not known.
    pub fn set_ciphers(self, list: &CStr) -> Result<(), Failure> {
        // SAFETY: a live connection.
        done(unsafe { SSL_set_cipher_list(self.as_ptr(), list.as_ptr()) })
    }

    /// Whose order of ciphers counts.
    pub fn prefer_server_ciphers(self, prefer: bool) {
        let change = if prefer { SSL_set_options } else { SSL_clear_options };
        // SAFETY: a live connection.
        unsafe { change(self.as_ptr(), CIPHER_SERVER_PREFERENCE) };
    }

    /// Sends `response` along with the certificate.
    ///
    /// # Errors: out of memory.
    pub fn staple(self, response: &[u8]) -> Result<(), Failure> {
        let len = response.len();
        let (file, line) = (c"".as_ptr(), 0);
        // SAFETY: memory from OpenSSL's own allocator, filled, which the connection frees once it has it.
        unsafe {
            let copy = CRYPTO_malloc(len, file, line).cast::<u8>();
            if copy.is_null() {
                return Err(Failure::take());
            }
            copy_nonoverlapping(response.as_ptr(), copy, len);
            let set = SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP as c_int;
            if SSL_ctrl(self.as_ptr(), set, len as std::ffi::c_long, copy.cast()) == 1 {
                return Ok(());
            }
            CRYPTO_free(copy.cast(), file, line);
        }
        Err(Failure::take())
    }
}

/// What becomes of a handshake whose client has no certificate that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unverified {
    /// It goes on: as with nginx's `ssl_verify_client` in `http`, requests are refused, not connections.
    GoesOn,
    /// It ends.
    Ends,
    /// It ends if there is a certificate.
    EndsIfShown,
    /// It ends if there is a certificate, and anything but its issuer is wrong with it.
    EndsIfWrong,
}

type Verified = unsafe extern "C" fn(c_int, *mut X509_STORE_CTX) -> c_int;

impl Unverified {
    fn mode(self) -> (u32, Verified) {
        match self {
            Unverified::GoesOn => (SSL_VERIFY_PEER, go_on),
            Unverified::Ends => (SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, as_found),
            Unverified::EndsIfShown => (SSL_VERIFY_PEER, as_found),
            Unverified::EndsIfWrong => (SSL_VERIFY_PEER, whoever_issued),
        }
    }
}

/// OpenSSL notes what is wrong with a certificate and goes on, as with nginx's own callback. What its queue has of that, for instance that a signature
/// is none, is taken out, as nginx would blame it on the next connection that it looks at.
unsafe extern "C" fn go_on(_: c_int, _: *mut X509_STORE_CTX) -> c_int {
    Failure::take();
    1
}

unsafe extern "C" fn as_found(holds: c_int, _: *mut X509_STORE_CTX) -> c_int {
    holds
}

unsafe extern "C" fn whoever_issued(holds: c_int, verified: *mut X509_STORE_CTX) -> c_int {
    // SAFETY: OpenSSL is calling with what it verifies.
    let error = unsafe { X509_STORE_CTX_get_error(verified) };
    let goes_on = holds == 1 || VerifyError::new(error.into()).is_about_issuer();
    if goes_on {
        Failure::take();
    }
    goes_on.into()
}

fn done(answer: c_int) -> Result<(), Failure> {
    if answer == 1 { Ok(()) } else { Err(Failure::take()) }
}
