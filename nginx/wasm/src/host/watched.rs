//! What of the zones an instance knows.

use wick_kv::Store;
use wick_native::zone::SharedZone;

/// A zone from which an instance has read, and the version that it knows of.
pub struct Watched {
    zone: usize,
    store: Store,
    seen: u64,
}

impl Watched {
    /// The version is taken now: so before anything is read, and no change is missed.
    pub fn new(at: usize, zone: SharedZone) -> Watched {
        let store = zone.store();
        Watched { zone: at, store, seen: store.version() }
    }

    pub fn is_of(&self, zone: usize) -> bool {
        self.zone == zone
    }

    /// Whether the zone got a new version since the last call.
    #[inline]
    pub fn moved(&mut self) -> bool {
        let version = self.store.version();
        std::mem::replace(&mut self.seen, version) != version
    }
}
