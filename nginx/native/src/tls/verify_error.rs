//! Why a certificate does not hold.

use std::borrow::Cow;
use std::ffi::{CStr, c_long};

use ngx::ffi::{
    X509_V_ERR_CERT_UNTRUSTED, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
    X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
    X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_verify_cert_error_string,
};

/// Why a client's certificate does not hold: one of OpenSSL's `X509_V_ERR_*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifyError(c_long);

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
