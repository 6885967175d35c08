//! A shared zone as the place where records lie.

use wick_hosts::Records;
use wick_kv::Store;
use wick_native::zone::{SharedZone, ZoneLock};

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
