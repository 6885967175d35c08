//! What the configuration says of HTTP: the filters of a location, and upstreams whose peers they choose.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    ngx_http_upstream_init_peer_pt, ngx_http_upstream_init_pt, ngx_http_upstream_srv_conf_t,
};
use wick_native::request::Request;

use super::upstream::idle::Idle;
use super::upstream::sessions::Sessions;
use crate::conf::chain::Chain;
use crate::conf::upstream::Upstream;
use crate::module;

/// A level's own chain, or the one it inherits; null: no filter.
pub struct LocConf {
    pub chain: *mut Chain,
}

impl Default for LocConf {
    fn default() -> LocConf {
        LocConf { chain: null_mut() }
    }
}

/// The chain of the location that `r` is in now.
#[inline]
pub fn chain_of(r: Request<'_>) -> Option<&Chain> {
    // SAFETY: the module made the configuration, and the cycle outlives its requests.
    unsafe { (*r.loc_conf::<LocConf>(module::HTTP.get())).chain.as_ref() }
}

/// An `upstream { }` block's part of the configuration.
pub struct SrvConf {
    /// The block's own method, which serves when no filter chooses. `None`: not ours.
    pub init_upstream: ngx_http_upstream_init_pt,
    pub init: ngx_http_upstream_init_peer_pt,
    /// What was put in its place.
    pub hook: ngx_http_upstream_init_peer_pt,
    /// The block itself.
    pub block: *mut ngx_http_upstream_srv_conf_t,
    pub upstream: Upstream,
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
            upstream: Upstream::default(),
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
