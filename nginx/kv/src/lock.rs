//! The lock from outside, and holding it.

use crate::layout::header;
use crate::store::Store;

/// A lock that all processes share which map the store, e.g. the mutex of nginx's slab pool.
///
/// The owner of the processes must free it when a holder dies; the store then repairs itself at the next call.
pub trait Lock {
    fn lock(&self);
    fn unlock(&self);
}

/// The lock of one store, held. What a killed holder left half done is repaired before this exists.
pub(crate) struct Held<'a, L: Lock + ?Sized> {
    store: Store,
    lock: &'a L,
}

impl<'a, L: Lock + ?Sized> Held<'a, L> {
    pub fn new(store: Store, lock: &'a L) -> Self {
        lock.lock();
        let held = Held { store, lock };
        if store.memory.load(header::DIRTY) != 0 {
            crate::recover::recover(&store);
        } else if store.slots.is_some_and(|slots| slots.is_dirty()) {
            crate::recover::recover_slots(&store);
        }
        held
    }

    pub fn store(&self) -> &Store {
        &self.store
    }
}

impl<L: Lock + ?Sized> Drop for Held<'_, L> {
    fn drop(&mut self) {
        // A panic means that the memory or this crate is not what we believe: let the next holder check everything.
        if std::thread::panicking() {
            self.store.mark(1);
        }
        self.lock.unlock();
    }
}
