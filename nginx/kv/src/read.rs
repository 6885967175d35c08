//! Reading one key.

use crate::lock::{Held, Lock};
use crate::store::Store;

impl Store {
    /// Shows `f` the value of `key` and its cas number; `None` when there is no such key.
    ///
    /// `f` runs while the lock is held: it may copy or decode, and must not call the store, log or wait.
    pub fn read<R>(
        &self,
        lock: &(impl Lock + ?Sized),
        key: &[u8],
        f: impl FnOnce(&[u8], u32) -> R,
    ) -> Option<R> {
        let key = self.key(key);
        let _held = Held::new(*self, lock);
        let heap = self.heap();
        let entry = heap.place(&key).entry?;
        Some(f(heap.value(&entry), entry.cas))
    }

    /// A copy of the value of `key`, and its cas number.
    pub fn get(&self, lock: &(impl Lock + ?Sized), key: &[u8]) -> Option<(Vec<u8>, u32)> {
        self.read(lock, key, |value, cas| (value.to_vec(), cas))
    }
}
