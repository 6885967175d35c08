//! Tests from inside: on heap memory, with a lock that notices misuse and a recorder of kills.

mod apply;
mod copy;
mod heap;
mod in_turn;
mod keys;
pub(crate) mod kill;
mod model;
mod recovery;
mod slots;
mod slots_recovery;
mod store;

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::Cell;
use std::ptr::NonNull;

use crate::{Capacity, Lock, Slots, Store};

/// A length that holds a little: header and stripes take 11 KiB.
pub const TINY: usize = 17 << 10;

/// How often a test does something: `often`, or much less under Miri, which takes thousands of times as long.
pub const fn rounds(often: usize, under_miri: usize) -> usize {
    if cfg!(miri) { under_miri } else { often }
}

pub fn capacity(slots: u32) -> Capacity {
    Capacity { slots, processes: 256 }
}

/// Aligned memory for one store, freed with it.
pub struct Region {
    base: NonNull<u8>,
    layout: Layout,
}

impl Region {
    pub fn new(len: usize) -> Region {
        let layout = Layout::from_size_align(len, 64).unwrap();
        // SAFETY: `len` is not 0 in any test.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) }).unwrap();
        Region { base, layout }
    }

    pub fn copy_of(bytes: &[u8]) -> Region {
        let region = Region::new(bytes.len());
        // SAFETY: both are `bytes.len()` long and the region is new.
        unsafe { region.base.copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len()) };
        region
    }

    pub fn create(&self) -> Store {
        // SAFETY: the region outlives the store in every test, which passes one lock.
        unsafe { Store::create(self.base, self.layout.size()) }.unwrap()
    }

    pub fn attach(&self) -> Result<Store, crate::LayoutError> {
        // SAFETY: as above.
        unsafe { Store::attach(self.base, self.layout.size()) }
    }

    pub fn create_slots(&self, count: u32) -> Slots {
        // SAFETY: the region is new and outlives the slots in every test.
        unsafe { Slots::create(self.base, self.layout.size(), capacity(count)) }.unwrap()
    }

    pub fn attach_slots(&self, count: u32) -> Result<Slots, crate::LayoutError> {
        // SAFETY: as above.
        unsafe { Slots::attach(self.base, self.layout.size(), capacity(count)) }
    }

    pub fn bytes(&self) -> Vec<u8> {
        // SAFETY: the whole region is initialised, and tests use it from one thread.
        unsafe { std::slice::from_raw_parts(self.base.as_ptr(), self.layout.size()) }.to_vec()
    }

    /// A foreign write.
    pub fn overwrite(&self, at: usize, byte: u8) {
        assert!(at < self.layout.size());
        // SAFETY: in bounds (checked).
        unsafe { self.base.add(at).write(byte) };
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: allocated with this layout.
        unsafe { dealloc(self.base.as_ptr(), self.layout) };
    }
}

/// A lock for one thread: fails the test when it is taken twice or left.
#[derive(Default)]
pub struct TestLock(Cell<bool>);

impl Lock for TestLock {
    fn lock(&self) {
        assert!(!self.0.replace(true), "locked twice");
    }

    fn unlock(&self) {
        assert!(self.0.replace(false), "unlocked twice");
    }
}

impl Drop for TestLock {
    fn drop(&mut self) {
        assert!(std::thread::panicking() || !self.0.get(), "left locked");
    }
}
