//! What the configuration says of streams.

use std::cell::OnceCell;
use std::ptr::NonNull;

use wick_native::conf::Conf;
use wick_native::module::ModuleIndex;
use wick_native::stream::session::Session;

use super::counters::Counters;
use super::route::StreamRoute;
use super::settings::Structure;

pub static MODULE: ModuleIndex = ModuleIndex::unset();
pub static HTTP: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct SrvConf {
    /// Set where `ingress_stream_route` stands; in the configuration's pool.
    pub route: Option<NonNull<StreamRoute>>,
}

/// Of `stream`.
#[derive(Default)]
pub struct StreamConf {
    /// Looked at once: all servers have the same.
    structure: OnceCell<Option<Structure>>,
}

impl StreamConf {
    /// # Safety
    /// The parser is inside `stream`.
    pub unsafe fn structure(&self, conf: Conf) -> Option<Structure> {
        // SAFETY: the caller's promise.
        *self.structure.get_or_init(|| unsafe { Structure::measure(conf) })
    }
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
