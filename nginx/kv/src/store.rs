//! The handle: formatting, attaching, versions. What needs the lock is elsewhere: `read`, `keys`, `apply`.

use std::ptr::NonNull;

use crate::entries::Key;
use crate::hash::{hash, random_seed};
use crate::heap::Heap;
use crate::layout::{ALIGNMENT, LAYOUT_VERSION, Layout, LayoutError, MAGIC, STRIPES, header};
use crate::memory::Memory;
use crate::slots::Slots;

/// A store, by its address: a plain value that may be copied and handed around.
///
/// All calls on one store, in all processes, must pass the same lock (see [`Store::attach`]).
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Store {
    pub(crate) memory: Memory,
    pub(crate) layout: Layout,
    seed: u64,
    pub(crate) slots: Option<Slots>,
}

/// How full a store is and what happened to it. Bytes are those of the heap; used ones include each entry's overhead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    pub keys: u64,
    pub bytes_used: u64,
    pub bytes_free: u64,
    /// Times that the store was repaired because a process was killed in the middle of a change.
    pub recoveries: u64,
    /// Those of them that found the memory itself broken and had to empty the store.
    pub resets: u64,
}

impl Store {
    /// Formats `len` bytes at `base` as an empty store.
    ///
    /// # Safety
    /// As for [`Store::attach`]; and no other process or thread uses the memory yet.
    ///
    /// # Errors
    /// [`LayoutError::TooSmall`], [`LayoutError::TooLarge`], [`LayoutError::Misaligned`].
    pub unsafe fn create(base: NonNull<u8>, len: usize) -> Result<Store, LayoutError> {
        // SAFETY: the caller's promise.
        let store = unsafe { Store::over(base, len)? };
        let memory = store.memory;
        memory.store(header::MAGIC, 0);
        for at in (header::LAYOUT..store.layout.heap).step_by(8) {
            memory.store(at, 0);
        }
        memory.store(header::LAYOUT, LAYOUT_VERSION);
        memory.store(header::LEN, store.layout.len);
        memory.store(header::SEED, random_seed());
        memory.store(header::VERSION, 1);
        store.heap().rebuild(&[]);
        memory.store(header::MAGIC, MAGIC);
        Ok(Store { seed: memory.load(header::SEED), ..store })
    }

    /// Takes up a store that was formatted before, perhaps by another process; `len` as given to [`Store::create`].
    ///
    /// # Safety
    /// `base..base + len` stays mapped and writable for as long as a copy of the handle is used, nothing but stores of
    /// this version writes there, and every call on every handle of this memory, in whatever process, passes one and the
    /// same lock, which lets in one holder at a time.
    ///
    /// # Errors
    /// Those of [`Store::create`]; [`LayoutError::Magic`], [`LayoutError::Version`], [`LayoutError::Length`] when the
    /// memory holds something else. Nothing was changed then.
    pub unsafe fn attach(base: NonNull<u8>, len: usize) -> Result<Store, LayoutError> {
        // SAFETY: the caller's promise.
        let store = unsafe { Store::over(base, len)? };
        let found = |at| store.memory.load(at);
        if found(header::MAGIC) != MAGIC {
            return Err(LayoutError::Magic);
        }
        if found(header::LAYOUT) != LAYOUT_VERSION {
            return Err(LayoutError::Version(found(header::LAYOUT)));
        }
        if found(header::LEN) != store.layout.len {
            return Err(LayoutError::Length(found(header::LEN)));
        }
        Ok(Store { seed: found(header::SEED), ..store })
    }

    /// # Safety
    /// `base..base + len` is mapped and writable.
    unsafe fn over(base: NonNull<u8>, len: usize) -> Result<Store, LayoutError> {
        if base.align_offset(ALIGNMENT) != 0 {
            return Err(LayoutError::Misaligned);
        }
        let layout = Layout::of(len)?;
        // SAFETY: mapped by the caller's promise, aligned as checked.
        let memory = unsafe { Memory::new(base, layout.len) };
        Ok(Store { memory, layout, seed: 0, slots: None })
    }

    /// The same store, whose keys may have slots. All who write the store should have them: who deletes a key releases its slots.
    pub fn with_slots(self, slots: Slots) -> Store {
        Store { slots: Some(slots), ..self }
    }

    pub fn slots(&self) -> Option<Slots> {
        self.slots
    }

    /// The version of the whole store: moves with every change of any key. Never 0. One load, no lock.
    #[inline]
    pub fn version(&self) -> u64 {
        self.memory.acquire(header::VERSION)
    }

    /// Whether there is no key at all. One load, no lock.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.memory.acquire(header::KEYS) == 0
    }

    /// A number that moves whenever `key` is written or deleted, and now and then without that. No lock.
    #[inline]
    pub fn key_version(&self, key: &[u8]) -> u64 {
        self.memory.acquire(stripe(hash(self.seed, key)))
    }

    pub fn statistics(&self) -> Statistics {
        let heap_bytes = self.layout.heap_end - self.layout.heap;
        let bytes_free = self.memory.load(header::BYTES_FREE).min(heap_bytes);
        Statistics {
            keys: self.memory.load(header::KEYS),
            bytes_used: heap_bytes - bytes_free,
            bytes_free,
            recoveries: self.memory.load(header::RECOVERIES),
            resets: self.memory.load(header::RESETS),
        }
    }

    /// Notes that a change is half done (1) or done (0), in the store and in its slots.
    pub(crate) fn mark(&self, dirty: u64) {
        if let Some(slots) = self.slots {
            slots.mark(dirty);
        }
        self.memory.store(header::DIRTY, dirty);
    }

    pub(crate) fn heap(&self) -> Heap {
        Heap { memory: self.memory, layout: self.layout }
    }

    pub(crate) fn key<'a>(&self, bytes: &'a [u8]) -> Key<'a> {
        Key { bytes, hash: hash(self.seed, bytes) }
    }
}

/// Offset of the version that the keys of this hash share.
pub(crate) fn stripe(hash: u64) -> u64 {
    header::STRIPES + hash % STRIPES * 8
}
