//! Shared zones as this crate uses them: named by its directives, and the place where records lie.

use ngx::ffi::{NGX_LOG_EMERG, ngx_log_t};
use wick_hosts::Records;
use wick_kv::Store;
use wick_native::conf::Conf;
use wick_native::log;
use wick_native::zone::{SharedZone, ZoneLock};

/// The zones that directives of a module name; what declares them may stand behind.
#[derive(Default)]
pub struct ZoneUses(Vec<ZoneUse>);

struct ZoneUse {
    directive: &'static str,
    zone: SharedZone,
}

impl ZoneUses {
    /// Refers to a zone for a directive. `None`: nginx refuses the name, and the log says why.
    pub fn refer(
        &mut self,
        conf: Conf,
        directive: &'static str,
        name: &[u8],
    ) -> Option<SharedZone> {
        let zone = SharedZone::refer(conf, name)?;
        self.0.push(ZoneUse { directive, zone });
        Some(zone)
    }

    /// When the whole configuration was read: refuses one that names a zone it does not have.
    pub fn check(&self, log: *mut ngx_log_t) -> Option<()> {
        self.0.iter().try_for_each(|used| check_declared(log, used.directive, used.zone))
    }
}

/// `None`: nobody declares the zone, and the log says so.
pub fn check_declared(log: *mut ngx_log_t, directive: &str, zone: SharedZone) -> Option<()> {
    if zone.is_declared() {
        return Some(());
    }
    let name = zone.name().escape_ascii();
    let line = format_args!(
        "\"{directive}\" uses the zone \"{name}\", which no \"shm_kv\" in \"wasm\" declares"
    );
    log::write(log, NGX_LOG_EMERG as usize, line);
    None
}

/// A zone that nginx has mapped.
pub struct OpenZone {
    store: Store,
    lock: ZoneLock,
}

impl OpenZone {
    /// # Panics
    /// While the configuration is read: the zone is not mapped yet.
    pub fn new(zone: SharedZone) -> OpenZone {
        OpenZone { store: zone.store(), lock: zone.lock() }
    }
}

impl Records for OpenZone {
    #[inline]
    fn version(&self) -> u64 {
        self.store.version()
    }

    fn key_version(&self, key: &[u8]) -> u64 {
        self.store.key_version(key)
    }

    fn read(&self, key: &[u8], value: &mut Vec<u8>) -> bool {
        value.clear();
        self.store.read(&self.lock, key, |found, _| value.extend_from_slice(found)).is_some()
    }
}
