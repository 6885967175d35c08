//! Whom the certificates of clients are verified against.

use std::ptr::NonNull;

use ngx::ffi::{
    X509_STORE, X509_STORE_add_cert, X509_STORE_add_crl, X509_STORE_free, X509_STORE_new,
    X509_STORE_set_flags, X509_V_FLAG_CRL_CHECK, X509_V_FLAG_CRL_CHECK_ALL,
};

use super::certificate::{Certificate, Crl};
use super::failure::Failure;

/// A set of authorities, and what they took back.
pub struct Store(NonNull<X509_STORE>);

impl Store {
    /// One that nothing is verified by.
    ///
    /// # Errors: out of memory.
    pub fn empty() -> Result<Store, Failure> {
        // SAFETY: the new store is ours.
        NonNull::new(unsafe { X509_STORE_new() }).map(Store).ok_or_else(Failure::take)
    }

    /// With CRLs, each certificate of a client's chain must be in none, and its issuer must have one: as nginx's `ssl_crl`.
    ///
    /// # Errors: out of memory.
    pub fn new<'a>(
        certificates: impl Iterator<Item = &'a Certificate>,
        crls: &[Crl],
    ) -> Result<Store, Failure> {
        let store = Store::empty()?;
        for certificate in certificates {
            // SAFETY: both are live; the store takes a reference of its own.
            done(unsafe { X509_STORE_add_cert(store.as_ptr(), certificate.as_ptr()) })?;
        }
        for crl in crls {
            // SAFETY: as above.
            done(unsafe { X509_STORE_add_crl(store.as_ptr(), crl.as_ptr()) })?;
        }
        if !crls.is_empty() {
            let flags = X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL;
            // SAFETY: live.
            unsafe { X509_STORE_set_flags(store.as_ptr(), flags.into()) };
        }
        Ok(store)
    }

    pub fn as_ptr(&self) -> *mut X509_STORE {
        self.0.as_ptr()
    }
}

fn done(answer: std::ffi::c_int) -> Result<(), Failure> {
    if answer == 1 { Ok(()) } else { Err(Failure::take()) }
}

impl Drop for Store {
    fn drop(&mut self) {
        // SAFETY: one reference is ours; connections that use the store have their own.
        unsafe { X509_STORE_free(self.as_ptr()) };
    }
}
