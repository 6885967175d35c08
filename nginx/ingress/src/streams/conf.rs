//! What the configuration says of streams.

use std::ptr::NonNull;

use wick_native::module::ModuleIndex;
use wick_native::stream::session::Session;

use super::counters::Counters;
use super::route::StreamRoute;

pub static MODULE: ModuleIndex = ModuleIndex::unset();
pub static HTTP: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct SrvConf {
    /// Set where `ingress_stream_route` stands; in the configuration's pool.
    pub route: Option<NonNull<StreamRoute>>,
}

/// Of `http`, where the counters are read.
#[derive(Default)]
pub struct MainConf {
    pub counters: Option<Counters>,
}

/// The route of the server that `s` is with.
#[inline]
pub fn route_of(s: Session<'_>) -> Option<&StreamRoute> {
    // SAFETY: the module made the configuration, and the cycle outlives its sessions.
    unsafe { (*s.srv_conf::<SrvConf>(MODULE.get())).route.map(|route| route.as_ref()) }
}
