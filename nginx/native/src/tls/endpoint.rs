//! TLS towards an endpoint: what its certificate is verified against, chosen for each connection.

use std::ffi::{CString, c_int, c_void};
use std::net::IpAddr;
use std::ptr::NonNull;

use ngx::ffi::{
    SSL, SSL_CTX, SSL_CTX_set_cert_cb, SSL_CTX_set_cert_verify_callback, SSL_CTX_set_verify,
    SSL_VERIFY_PEER, SSL_get_ex_data_X509_STORE_CTX_idx, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS,
    X509_STORE_CTX, X509_STORE_CTX_free, X509_STORE_CTX_get_error, X509_STORE_CTX_get_ex_data,
    X509_STORE_CTX_get0_cert, X509_STORE_CTX_get0_param, X509_STORE_CTX_get0_untrusted,
    X509_STORE_CTX_init, X509_STORE_CTX_new, X509_STORE_CTX_set_default, X509_STORE_CTX_set_error,
    X509_V_ERR_APPLICATION_VERIFICATION, X509_V_ERR_HOSTNAME_MISMATCH, X509_VERIFY_PARAM_add1_host,
    X509_VERIFY_PARAM_get_auth_level, X509_VERIFY_PARAM_set_auth_level,
    X509_VERIFY_PARAM_set_depth, X509_VERIFY_PARAM_set_hostflags, X509_VERIFY_PARAM_set1_ip_asc,
    X509_verify_cert,
};

use super::alternative_names::has_one_of;
use super::connection::Connection;
use super::context::Context;
use super::store::Store;

/// A chain that an endpoint has shown, while OpenSSL asks whether it holds.
pub struct Shown<'c> {
    chain: NonNull<X509_STORE_CTX>,
    pub connection: Connection<'c>,
}

/// Whom its certificate has to be of.
#[derive(Clone, Copy)]
pub enum Owner<'a> {
    Anybody,
    /// A host name or address, as nginx has it: where there is no alternative name, its subject counts.
    Host(&'a [u8]),
    /// It has one of these alternative names: host names, addresses or URIs.
    OneOf(&'a [Box<[u8]>]),
}

/// OpenSSL's callback that says whether a chain holds.
pub type VerifyChain = unsafe extern "C" fn(*mut X509_STORE_CTX, *mut c_void) -> c_int;

/// OpenSSL's callbacks for such a context, with their argument.
pub struct EndpointCallbacks {
    pub verify: VerifyChain,
    /// The endpoint has asked for a certificate.
    pub certificate: unsafe extern "C" fn(*mut SSL, *mut c_void) -> c_int,
}

impl Context {
    /// For a context of clients. A chain that does not hold ends the handshake.
    ///
    /// # Safety
    /// As for [`Context::set_callbacks`].
    pub unsafe fn set_endpoint_callbacks(
        self,
        callbacks: &EndpointCallbacks,
        argument: *mut c_void,
    ) {
        // SAFETY: a live context; the caller's promise.
        unsafe {
            self.set_endpoint_verify(callbacks.verify, argument);
            SSL_CTX_set_cert_cb(self.as_ptr(), Some(callbacks.certificate), argument);
        }
    }

    /// The first of these callbacks alone.
    ///
    /// # Safety
    /// As for [`Context::set_callbacks`].
    pub unsafe fn set_endpoint_verify(self, verify: VerifyChain, argument: *mut c_void) {
        let context: *mut SSL_CTX = self.as_ptr();
        // SAFETY: a live context; the caller's promise.
        unsafe {
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER as c_int, None);
            SSL_CTX_set_cert_verify_callback(context, Some(verify), argument);
        }
    }
}

impl Shown<'_> {
    /// # Safety
    /// What OpenSSL has called `verify` with; not used after that has returned.
    pub unsafe fn from_raw(chain: *mut X509_STORE_CTX) -> Option<Self> {
        // SAFETY: the caller's promise; OpenSSL leaves the connection there.
        unsafe {
            let index = SSL_get_ex_data_X509_STORE_CTX_idx();
            let ssl = NonNull::new(X509_STORE_CTX_get_ex_data(chain, index).cast::<SSL>())?;
            let connection = Connection::from_raw(ssl.as_ptr());
            Some(Shown { chain: NonNull::new(chain)?, connection })
        }
    }

    /// Whether it leads to one of the authorities in `store`, and is the owner's. What is wrong is noted for nginx's log.
    pub fn holds(&self, store: &Store, depth: u32, owner: Owner) -> bool {
        // SAFETY: all are live; the new context is ours, and is gone before what it refers to.
        unsafe {
            let shown = self.chain.as_ptr();
            let Some(own) = NonNull::new(X509_STORE_CTX_new()) else { return self.refuse() };
            let own = own.as_ptr();
            let (leaf, others) =
                (X509_STORE_CTX_get0_cert(shown), X509_STORE_CTX_get0_untrusted(shown));
            let is_ready = X509_STORE_CTX_init(own, store.as_ptr(), leaf, others) == 1
                && X509_STORE_CTX_set_default(own, c"ssl_server".as_ptr()) == 1
                && wants(own, shown, depth, owner);
            let holds = is_ready && X509_verify_cert(own) == 1;
            if is_ready {
                X509_STORE_CTX_set_error(shown, X509_STORE_CTX_get_error(own));
            }
            X509_STORE_CTX_free(own);
            match holds {
                true => self.is_of(owner),
                false => !is_ready && self.refuse(),
            }
        }
    }

    /// The rest of what `wants` has not asked for.
    fn is_of(&self, owner: Owner) -> bool {
        let Owner::OneOf(names) = owner else { return true };
        let chain = self.chain.as_ptr();
        // SAFETY: live, with a certificate that was verified.
        unsafe {
            let has_name = has_one_of(X509_STORE_CTX_get0_cert(chain), names);
            if !has_name {
                X509_STORE_CTX_set_error(chain, X509_V_ERR_HOSTNAME_MISMATCH as c_int);
            }
            has_name
        }
    }

    /// It holds for nobody.
    pub fn refuse(&self) -> bool {
        let error = X509_V_ERR_APPLICATION_VERIFICATION as c_int;
        // SAFETY: live.
        unsafe { X509_STORE_CTX_set_error(self.chain.as_ptr(), error) };
        false
    }
}

/// # Safety
/// A context of ours that was made ready, and the one of the connection.
unsafe fn wants(
    own: *mut X509_STORE_CTX,
    shown: *mut X509_STORE_CTX,
    depth: u32,
    owner: Owner,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let wanted = X509_STORE_CTX_get0_param(own);
        // How weak keys may be is the connection's to say.
        let level = X509_VERIFY_PARAM_get_auth_level(X509_STORE_CTX_get0_param(shown));
        X509_VERIFY_PARAM_set_auth_level(wanted, level);
        X509_VERIFY_PARAM_set_depth(wanted, depth as c_int);
        X509_VERIFY_PARAM_set_hostflags(wanted, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        let Owner::Host(name) = owner else { return true };
        let is_address = std::str::from_utf8(name).is_ok_and(|text| text.parse::<IpAddr>().is_ok());
        match CString::new(name) {
            Ok(text) if is_address => X509_VERIFY_PARAM_set1_ip_asc(wanted, text.as_ptr()) == 1,
            Ok(text) => X509_VERIFY_PARAM_add1_host(wanted, text.as_ptr(), name.len()) == 1,
            Err(_) => false,
        }
    }
}
