//! The names that a certificate has in its extension `subjectAltName`.

use std::ffi::{CString, c_int};
use std::net::IpAddr;
use std::ptr::{NonNull, null_mut};
use std::slice::from_raw_parts;

use ngx::ffi::{
    ASN1_STRING_get0_data, ASN1_STRING_length, GEN_URI, GENERAL_NAME, GENERAL_NAME_get0_value,
    GENERAL_NAMES, GENERAL_NAMES_free, NID_subject_alt_name, OPENSSL_sk_num, OPENSSL_sk_value,
    X509, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS,
    X509_check_host, X509_check_ip_asc, X509_get_ext_d2i,
};

/// Whether it has one of `names`: host names, for which a wildcard will do, addresses, and URIs, which have to be the same byte by byte. A subject
/// does not count.
///
/// # Safety
/// A live certificate.
pub(super) unsafe fn has_one_of(certificate: *mut X509, names: &[Box<[u8]>]) -> bool {
    // SAFETY: the caller's promise.
    names.iter().any(|name| unsafe { has(certificate, name) })
}

/// # Safety
/// As for [`has_one_of`].
unsafe fn has(certificate: *mut X509, name: &[u8]) -> bool {
    let is_address = std::str::from_utf8(name).is_ok_and(|text| text.parse::<IpAddr>().is_ok());
    // SAFETY: the caller's promise; of a name that is empty OpenSSL would look for the end.
    unsafe {
        match name {
            [] => false,
            _ if is_address => has_address(certificate, name),
            _ if name.contains(&b':') => has_uri(certificate, name),
            _ => has_host(certificate, name),
        }
    }
}

/// # Safety
/// As for [`has_one_of`].
unsafe fn has_host(certificate: *mut X509, name: &[u8]) -> bool {
    let flags = X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT;
    let (text, place) = (name.as_ptr().cast(), null_mut());
    // SAFETY: the caller's promise; nothing is written to where null is.
    unsafe { X509_check_host(certificate, text, name.len(), flags, place) == 1 }
}

/// # Safety
/// As for [`has_one_of`].
unsafe fn has_address(certificate: *mut X509, name: &[u8]) -> bool {
    // SAFETY: the caller's promise.
    CString::new(name)
        .is_ok_and(|text| unsafe { X509_check_ip_asc(certificate, text.as_ptr(), 0) == 1 })
}

/// # Safety
/// As for [`has_one_of`].
unsafe fn has_uri(certificate: *mut X509, uri: &[u8]) -> bool {
    let id = NID_subject_alt_name as c_int;
    // SAFETY: the caller's promise; the list is ours, and a stack.
    unsafe {
        let all = X509_get_ext_d2i(certificate, id, null_mut(), null_mut());
        let Some(all) = NonNull::new(all.cast::<GENERAL_NAMES>()) else { return false };
        let stack = all.as_ptr().cast_const().cast();
        let has = (0..OPENSSL_sk_num(stack))
            .any(|at| uri_of(OPENSSL_sk_value(stack, at).cast()) == Some(uri));
        GENERAL_NAMES_free(all.as_ptr());
        has
    }
}

/// # Safety
/// Live for `'a`.
unsafe fn uri_of<'a>(name: *const GENERAL_NAME) -> Option<&'a [u8]> {
    let mut kind = 0;
    // SAFETY: the caller's promise; a name of this kind is a string.
    unsafe {
        let text = GENERAL_NAME_get0_value(name, &mut kind).cast();
        (kind == GEN_URI as c_int)
            .then(|| from_raw_parts(ASN1_STRING_get0_data(text), ASN1_STRING_length(text) as usize))
    }
}
