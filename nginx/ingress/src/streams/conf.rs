//! What the configuration says of streams.

use std::cell::OnceCell;
use std::ptr::NonNull;

use wick_native::conf::Conf;
use wick_native::module::ModuleIndex;
use wick_native::stream::session::Session;
use wick_native::zone::SharedZone;

use super::counters::Counters;
use super::reencryption::Reencryption;
use super::route::StreamRoute;
use super::settings::{SrvConfs, Structure};
use super::termination::Termination;

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
    /// The server with `ingress_stream_certificates`, and what it names.
    pub certificates: Option<(SrvConfs, SharedZone)>,
    /// A server with `ingress_stream_route`, to compare the other with.
    pub routed: Option<SrvConfs>,
    /// Made of these when all was read; in the configuration's pool.
    pub termination: Option<NonNull<Termination>>,
    pub reencryption: Option<NonNull<Reencryption>>,
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

/// What makes handshakes: with clients, and with endpoints. `None`: there are none.
#[inline]
pub fn tls_of(s: Session<'_>) -> (Option<&Termination>, Option<&Reencryption>) {
    // SAFETY: the module made the configuration, and the cycle outlives its sessions.
    unsafe {
        let conf = &*s.main_conf::<StreamConf>(MODULE.get());
        (conf.termination.map(|it| it.as_ref()), conf.reencryption.map(|it| it.as_ref()))
    }
}

/// The route of the server that `s` is with.
#[inline]
pub fn route_of(s: Session<'_>) -> Option<&StreamRoute> {
    // SAFETY: the module made the configuration, and the cycle outlives its sessions.
    unsafe { (*s.srv_conf::<SrvConf>(MODULE.get())).route.map(|route| route.as_ref()) }
}
