//! nginx's settings of TLS towards endpoints, made while it serves.

use std::ffi::{CStr, c_int, c_void};
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_SSL_TLSv1_2, NGX_SSL_TLSv1_3, SSL, SSL_CTRL_GET_SESS_CACHE_MODE,
    SSL_CTRL_SET_SESS_CACHE_MODE, SSL_CTX_ctrl, SSL_CTX_free, SSL_CTX_get_options,
    SSL_CTX_sess_get_new_cb, SSL_CTX_sess_set_new_cb, SSL_CTX_set_alpn_protos, SSL_CTX_set_cert_cb,
    SSL_CTX_set_cipher_list, SSL_CTX_set_options, ngx_ssl_create, ngx_ssl_t,
};

use super::context::Context;
use super::endpoint::VerifyChain;
use super::failure::Failure;
use crate::code::OK;
use crate::log;

/// With a context of their own. Where they lie is what nginx, and who keeps connections, tells them apart by.
pub struct EndpointSettings(Box<ngx_ssl_t>);

/// What is in force of them.
pub struct WantedSettings<'a> {
    pub ciphers: &'a CStr,
    /// TLS 1.2 and 1.3.
    pub versions: (bool, bool),
    pub is_http2: bool,
    /// `None`: what an endpoint shows is not looked at.
    pub verify: Option<VerifyChain>,
    /// The endpoint has asked for a certificate; `None`: it is shown none.
    pub certificate: Option<unsafe extern "C" fn(*mut SSL, *mut c_void) -> c_int>,
}

/// RFC 7301, 3.1: `h2` behind its length.
const HTTP2: &[u8] = b"\x02h2";

impl EndpointSettings {
    /// What is not said is as `base` has it: whether sessions are kept, and options of OpenSSL's.
    ///
    /// # Errors: OpenSSL does not take something of it, or out of memory.
    ///
    /// # Safety
    /// `base` is nginx's own of a location; `argument` is what the callbacks take it for, for as long as the context lives, and connections of it.
    pub unsafe fn new(
        base: NonNull<ngx_ssl_t>,
        wanted: &WantedSettings,
        argument: *mut c_void,
    ) -> Result<EndpointSettings, Failure> {
        // SAFETY: plain data of nginx's, which has more in some versions; all zero is what nginx begins with.
        let mut made = EndpointSettings(Box::new(unsafe { std::mem::zeroed() }));
        made.0.log = log::of_cycle();
        let (v1_2, v1_3) = wanted.versions;
        let versions = [(v1_2, NGX_SSL_TLSv1_2), (v1_3, NGX_SSL_TLSv1_3)];
        let mask = versions.iter().map(|(is_on, bit)| if *is_on { *bit as usize } else { 0 }).sum();
        // SAFETY: the caller's promise; the new context is ours.
        unsafe {
            done(ngx_ssl_create(&mut *made.0, mask, null_mut()) == OK)?;
            let (context, base) = (made.0.ctx, base.as_ref().ctx);
            done(SSL_CTX_set_cipher_list(context, wanted.ciphers.as_ptr()) == 1)?;
            SSL_CTX_set_options(context, SSL_CTX_get_options(base) & !NO_VERSIONS);
            let kept = SSL_CTX_ctrl(base, SSL_CTRL_GET_SESS_CACHE_MODE as c_int, 0, null_mut());
            SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE as c_int, kept, null_mut());
            SSL_CTX_sess_set_new_cb(context, SSL_CTX_sess_get_new_cb(base));
            if wanted.is_http2 {
                // The one setter that answers 0 when it has done it.
                let len = HTTP2.len() as u32;
                done(SSL_CTX_set_alpn_protos(context, HTTP2.as_ptr(), len) == 0)?;
            }
            if let Some(context) = Context::from_raw(context) {
                // What a session was verified for is not looked at again.
                context.separate_sessions();
                if let Some(verify) = wanted.verify {
                    context.set_endpoint_verify(verify, argument);
                }
            }
            if let Some(certificate) = wanted.certificate {
                SSL_CTX_set_cert_cb(context, Some(certificate), argument);
            }
        }
        Ok(made)
    }

    /// For a configuration that lives no longer.
    pub fn as_ptr(&self) -> *mut ngx_ssl_t {
        std::ptr::from_ref(&*self.0).cast_mut()
    }
}

/// `SSL_OP_NO_TLSv1_3` and those of the versions before, macros that bindings cannot have: which of them are spoken is said here.
const NO_VERSIONS: u64 = 1 << 25 | 1 << 26 | 1 << 27 | 1 << 28 | 1 << 29;

fn done(is_done: bool) -> Result<(), Failure> {
    if is_done { Ok(()) } else { Err(Failure::take()) }
}

impl Drop for EndpointSettings {
    fn drop(&mut self) {
        // SAFETY: ours; null is allowed. Connections have references of their own.
        unsafe { SSL_CTX_free(self.0.ctx) };
    }
}
