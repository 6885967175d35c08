//! What the configuration says of `stream`: the filters of a server, and upstreams whose peers they choose.

use std::ptr::null_mut;

use ngx::ffi::{ngx_stream_upstream_init_peer_pt, ngx_stream_upstream_srv_conf_t};
use wick_native::stream::session::Session;

use crate::conf::chain::Chain;
use crate::conf::upstream::Upstream;
use crate::module;

/// Of a server, or of an `upstream { }`.
pub struct SrvConf {
    /// A level's own chain, or the one it inherits; null: no filter.
    pub chain: *mut Chain,
    pub upstream: Upstream,
    /// Filters choose its peers.
    pub is_ours: bool,
    /// The block's own method, which serves where there is no filter.
    pub init: ngx_stream_upstream_init_peer_pt,
}

impl Default for SrvConf {
    fn default() -> SrvConf {
        SrvConf { chain: null_mut(), upstream: Upstream::default(), is_ours: false, init: None }
    }
}

/// The chain of the server that `s` is with.
pub fn chain_of(s: Session<'_>) -> Option<&Chain> {
    // SAFETY: the module made the configuration, and the cycle outlives its sessions.
    unsafe { (*s.srv_conf::<SrvConf>(module::STREAM.get())).chain.as_ref() }
}

/// Our part of an upstream's configuration.
///
/// # Safety
/// `upstream` is a live configuration of the running (or parsed) cycle. What is returned is changed only while the
/// configuration is parsed, and shared by sessions afterwards.
pub unsafe fn of_upstream(upstream: *mut ngx_stream_upstream_srv_conf_t) -> *mut SrvConf {
    // SAFETY: the caller's promise; the module made it.
    unsafe { (*(*upstream).srv_conf.add(module::STREAM.get())).cast::<SrvConf>() }
}
