//! An upstream whose peers are chosen by the location's filters.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    ngx_http_upstream_init_peer_pt, ngx_http_upstream_init_pt, ngx_http_upstream_srv_conf_t,
};
use wick_native::complex::Complex;

use crate::module;
use crate::upstream::idle::Idle;
use crate::upstream::sessions::Sessions;

/// An `upstream { }` block's part of the configuration.
pub struct SrvConf {
    /// The block's own method, which serves when no filter chooses. `None`: not ours.
    pub init_upstream: ngx_http_upstream_init_pt,
    pub init: ngx_http_upstream_init_peer_pt,
    /// What was put in its place.
    pub hook: ngx_http_upstream_init_peer_pt,
    /// The block itself.
    pub block: *mut ngx_http_upstream_srv_conf_t,
    /// Most attempts per request; nginx's own limits apply as well.
    pub max_tries: usize,
    /// `fallback=KEY`: the shared key of the backend record that serves while the filter cannot.
    pub fallback: Option<Complex>,
    /// `key=$VARIABLE`: index of the variable that the filter finds in its attempt record.
    pub key: Option<usize>,
    /// `keepalive=N`: connections that wait for their next request.
    pub idle: Option<NonNull<Idle>>,
    /// What handshakes with the upstream's endpoints left.
    pub sessions: Option<NonNull<Sessions>>,
}

impl Default for SrvConf {
    fn default() -> SrvConf {
        SrvConf {
            init_upstream: None,
            init: None,
            hook: None,
            block: null_mut(),
            max_tries: 0,
            fallback: None,
            key: None,
            idle: None,
            sessions: None,
        }
    }
}

/// Our part of an upstream's configuration.
///
/// # Safety
/// `upstream` is a live configuration of the running (or parsed) cycle. What is returned is changed only while the
/// configuration is parsed, and shared by requests afterwards.
pub unsafe fn of_upstream(upstream: *mut ngx_http_upstream_srv_conf_t) -> *mut SrvConf {
    // SAFETY: the caller's promise; the module made it.
    unsafe { (*(*upstream).srv_conf.add(module::HTTP.get())).cast::<SrvConf>() }
}
