//! The names of authorities that a client is told when it is asked for a certificate.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    OPENSSL_sk_new_null, OPENSSL_sk_pop_free, OPENSSL_sk_push, SSL_dup_CA_list, X509_NAME_dup,
    X509_NAME_free, X509_NAME_get0_der, X509_get_subject_name, stack_st_X509_NAME,
};

use super::certificate::Certificate;
use super::failure::Failure;

/// More than so many bytes of names are not sent: they are copied for each handshake, and a message has an end.
/// Clients that are told none may offer any certificate.
const MAX_BYTES: usize = 16 << 10;

/// A list of names.
pub struct Names(NonNull<stack_st_X509_NAME>);

impl Names {
    /// The subjects of `certificates`, or none when they are too many.
    ///
    /// # Errors: out of memory.
    pub fn new<'a>(
        mut certificates: impl Iterator<Item = &'a Certificate> + Clone,
    ) -> Result<Names, Failure> {
        // SAFETY: the new stack is ours.
        let stack = NonNull::new(unsafe { OPENSSL_sk_new_null() });
        let names = Names(stack.ok_or_else(Failure::take)?.cast());
        if certificates.clone().map(subject_bytes).sum::<usize>() <= MAX_BYTES {
            certificates.try_for_each(|certificate| names.push(certificate))?;
        }
        Ok(names)
    }

    /// # Errors: out of memory.
    pub fn none() -> Result<Names, Failure> {
        Names::new(std::iter::empty())
    }

    fn push(&self, certificate: &Certificate) -> Result<(), Failure> {
        // SAFETY: live; a name that the stack does not take stays ours.
        unsafe {
            let name = X509_NAME_dup(X509_get_subject_name(certificate.as_ptr()));
            if name.is_null() || OPENSSL_sk_push(self.0.as_ptr().cast(), name.cast()) < 1 {
                X509_NAME_free(name);
                return Err(Failure::take());
            }
        }
        Ok(())
    }

    /// A copy for a connection, which frees it; null: out of memory.
    pub(super) fn copy(&self) -> *mut stack_st_X509_NAME {
        // SAFETY: a live stack of names.
        unsafe { SSL_dup_CA_list(self.0.as_ptr()) }
    }
}

/// How long the subject is in DER.
fn subject_bytes(certificate: &Certificate) -> usize {
    let mut len = 0;
    // SAFETY: live, and a certificate always has a subject.
    unsafe {
        X509_NAME_get0_der(X509_get_subject_name(certificate.as_ptr()), null_mut(), &mut len);
    }
    len
}

impl Drop for Names {
    fn drop(&mut self) {
        unsafe extern "C" fn free(name: *mut std::ffi::c_void) {
            // SAFETY: the stack holds names.
            unsafe { X509_NAME_free(name.cast()) }
        }
        // SAFETY: the stack is ours.
        unsafe { OPENSSL_sk_pop_free(self.0.as_ptr().cast(), Some(free)) };
    }
}
