//! Certificates, keys and CRLs, from DER.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    EVP_PKCS82PKEY, EVP_PKEY, EVP_PKEY_free, OCSP_RESPONSE_free, OPENSSL_STACK,
    OPENSSL_sk_new_null, OPENSSL_sk_pop_free, OPENSSL_sk_push, PKCS8_PRIV_KEY_INFO_free, X509,
    X509_CRL, X509_CRL_free, X509_check_private_key, X509_free, X509_up_ref, d2i_OCSP_RESPONSE,
    d2i_PKCS8_PRIV_KEY_INFO, d2i_X509, d2i_X509_CRL, stack_st_X509,
};

use super::failure::Failure;

/// Reads one structure that takes all of `der`; `free` takes back one that takes less.
fn read_all<T>(
    der: &[u8],
    read: unsafe extern "C" fn(*mut *mut T, *mut *const u8, std::ffi::c_long) -> *mut T,
    free: unsafe extern "C" fn(*mut T),
) -> Result<NonNull<T>, Failure> {
    let mut end = der.as_ptr();
    // SAFETY: `der` has that many bytes (a record is far smaller than a c_long); the new structure is ours.
    let read = unsafe { read(null_mut(), &mut end, der.len() as std::ffi::c_long) };
    let read = NonNull::new(read).ok_or_else(Failure::take)?;
    if end == der.as_ptr_range().end {
        return Ok(read);
    }
    // SAFETY: made above, and nobody else knows it.
    unsafe { free(read.as_ptr()) };
    Err(Failure::take())
}

/// Whether the bytes are exactly one OCSP response, whatever it says.
pub fn is_ocsp_response(der: &[u8]) -> bool {
    let response = read_all(der, d2i_OCSP_RESPONSE, OCSP_RESPONSE_free);
    // SAFETY: the response that was just made.
    response.map(|response| unsafe { OCSP_RESPONSE_free(response.as_ptr()) }).is_ok()
}

/// An X.509 certificate.
pub struct Certificate(NonNull<X509>);

impl Certificate {
    /// # Errors: the bytes are not exactly one certificate.
    pub fn read(der: &[u8]) -> Result<Certificate, Failure> {
        read_all(der, d2i_X509, X509_free).map(Certificate)
    }

    /// # Errors: the key is not that of the certificate.
    pub fn check_key(&self, key: &Key) -> Result<(), Failure> {
        // SAFETY: both are live.
        let fits = unsafe { X509_check_private_key(self.as_ptr(), key.as_ptr()) } == 1;
        if fits { Ok(()) } else { Err(Failure::take()) }
    }

    pub fn as_ptr(&self) -> *mut X509 {
        self.0.as_ptr()
    }
}

impl Drop for Certificate {
    fn drop(&mut self) {
        // SAFETY: one reference is ours.
        unsafe { X509_free(self.as_ptr()) };
    }
}

/// A private key.
pub struct Key(NonNull<EVP_PKEY>);

impl Key {
    /// # Errors: the bytes are not exactly one PKCS#8 structure with a key of a kind that OpenSSL knows.
    pub fn read(pkcs8: &[u8]) -> Result<Key, Failure> {
        let info = read_all(pkcs8, d2i_PKCS8_PRIV_KEY_INFO, PKCS8_PRIV_KEY_INFO_free)?;
        // SAFETY: live until it is freed here, wiped as OpenSSL does with keys.
        let key = unsafe {
            let key = EVP_PKCS82PKEY(info.as_ptr());
            PKCS8_PRIV_KEY_INFO_free(info.as_ptr());
            key
        };
        NonNull::new(key).map(Key).ok_or_else(Failure::take)
    }

    pub fn as_ptr(&self) -> *mut EVP_PKEY {
        self.0.as_ptr()
    }
}

impl Drop for Key {
    fn drop(&mut self) {
        // SAFETY: one reference is ours.
        unsafe { EVP_PKEY_free(self.as_ptr()) };
    }
}

/// A certificate revocation list.
pub struct Crl(NonNull<X509_CRL>);

impl Crl {
    /// # Errors: the bytes are not exactly one CRL.
    pub fn read(der: &[u8]) -> Result<Crl, Failure> {
        read_all(der, d2i_X509_CRL, X509_CRL_free).map(Crl)
    }

    pub fn as_ptr(&self) -> *mut X509_CRL {
        self.0.as_ptr()
    }
}

impl Drop for Crl {
    fn drop(&mut self) {
        // SAFETY: one reference is ours.
        unsafe { X509_CRL_free(self.as_ptr()) };
    }
}

/// What goes with a leaf: the certificates above it, in order.
pub struct Chain(NonNull<stack_st_X509>);

impl Chain {
    /// # Errors: out of memory.
    pub fn new<'a>(certificates: impl Iterator<Item = &'a Certificate>) -> Result<Chain, Failure> {
        // SAFETY: the new stack is ours.
        let stack = NonNull::new(unsafe { OPENSSL_sk_new_null() });
        let chain = Chain(stack.ok_or_else(Failure::take)?.cast());
        for certificate in certificates {
            // SAFETY: a live stack; a certificate that it took has one reference more.
            unsafe {
                if OPENSSL_sk_push(chain.stack(), certificate.as_ptr().cast()) < 1 {
                    return Err(Failure::take());
                }
                X509_up_ref(certificate.as_ptr());
            }
        }
        Ok(chain)
    }

    pub fn as_ptr(&self) -> *mut stack_st_X509 {
        self.0.as_ptr()
    }

    fn stack(&self) -> *mut OPENSSL_STACK {
        self.0.as_ptr().cast()
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        unsafe extern "C" fn free(certificate: *mut std::ffi::c_void) {
            // SAFETY: the stack holds certificates, one reference to each.
            unsafe { X509_free(certificate.cast()) }
        }
        // SAFETY: the stack is ours.
        unsafe { OPENSSL_sk_pop_free(self.stack(), Some(free)) };
    }
}
