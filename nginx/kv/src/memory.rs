//! The only place that touches the memory: checked words and bytes at offsets.
//!
//! Every store stays in program order (a compiler fence stands behind each), because a process can be killed between any
//! two of them and the next one must find what the order promised. Towards other processors the lock gives the order,
//! to plain loads and stores; the others say what they promise without it.

use std::ptr::NonNull;
#[cfg(not(loom))]
use std::sync::atomic::AtomicU64;
use std::sync::atomic::{Ordering, compiler_fence};

#[cfg(loom)]
use loom::sync::atomic::AtomicU64;

#[cfg(test)]
thread_local! {
    /// What tests do after each store: look at the memory as a process would leave it that is killed just then.
    pub(crate) static AFTER_STORE: std::cell::Cell<fn()> = const { std::cell::Cell::new(|| ()) };
}

/// A mapped piece of memory. Offsets outside of it panic: a bug or a foreign write, which [`crate::lock::Held`] notes.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Memory {
    base: NonNull<u8>,
    len: u64,
}

// SAFETY: words are atomics, and bytes are touched under the store's lock only (the contract of `Store::attach`).
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    /// # Safety
    /// `base..base + len` is mapped, writable and 8-byte aligned for as long as any copy is used.
    pub unsafe fn new(base: NonNull<u8>, len: u64) -> Memory {
        Memory { base, len }
    }

    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    #[inline]
    fn word(&self, at: u64) -> &AtomicU64 {
        assert!(
            at.is_multiple_of(8) && at < self.len && self.len - at >= 8,
            "word outside of the store"
        );
        // SAFETY: in bounds and aligned (checked), mapped (`new`), and only ever accessed as an atomic.
        unsafe { self.place(at).as_ref() }
    }

    /// Under loom the memory is an array of its atomics, which are larger than a word.
    fn place(&self, at: u64) -> NonNull<AtomicU64> {
        let words = self.base.cast::<AtomicU64>();
        // SAFETY: the caller has checked the bounds.
        unsafe { if cfg!(loom) { words.add(at as usize / 8) } else { words.byte_add(at as usize) } }
    }

    fn bytes_at(&self, at: u64, len: usize) -> NonNull<u8> {
        assert!(at <= self.len && len as u64 <= self.len - at, "bytes outside of the store");
        // SAFETY: in bounds of one mapping (checked).
        unsafe { self.base.add(at as usize) }
    }

    #[inline]
    pub fn load(&self, at: u64) -> u64 {
        self.word(at).load(Ordering::Relaxed)
    }

    pub fn store(&self, at: u64, value: u64) {
        self.word(at).store(value, Ordering::Relaxed);
        self.stored();
    }

    /// Eight words side by side.
    pub fn line(&self, at: u64) -> &[AtomicU64; 8] {
        assert!(
            at.is_multiple_of(64) && at < self.len && self.len - at >= 64,
            "line outside of the store"
        );
        // SAFETY: as for `word`.
        unsafe { self.place(at).cast::<[AtomicU64; 8]>().as_ref() }
    }

    /// Reads a word that is written without the lock being known to the reader.
    #[inline]
    pub fn acquire(&self, at: u64) -> u64 {
        self.word(at).load(Ordering::Acquire)
    }

    /// Moves a version that readers without the lock watch; everything stored before is visible to them with it.
    pub fn publish(&self, at: u64) {
        let word = self.word(at);
        word.store(word.load(Ordering::Relaxed).wrapping_add(1), Ordering::Release);
        self.stored();
    }

    /// As [`Memory::store`], and everything stored before is visible to those who acquire this.
    pub fn release(&self, at: u64, value: u64) {
        self.word(at).store(value, Ordering::Release);
        self.stored();
    }

    /// Loads and stores of this kind happen in one order that all processes agree on.
    pub fn load_in_order(&self, at: u64) -> u64 {
        in_order();
        self.word(at).load(Ordering::SeqCst)
    }

    pub fn store_in_order(&self, at: u64, value: u64) {
        self.word(at).store(value, Ordering::SeqCst);
        in_order();
        self.stored();
    }

    /// Replaces `expected`. `Err`: what the word holds instead.
    pub fn swap(&self, at: u64, expected: u64, wanted: u64) -> Result<(), u64> {
        let word = self.word(at);
        in_order();
        let outcome = word.compare_exchange(expected, wanted, Ordering::SeqCst, Ordering::Acquire);
        self.stored();
        outcome.map(|_| ())
    }

    /// Adds without carry; returns the sum.
    pub fn add(&self, at: u64, what: u64) -> u64 {
        let sum = self.word(at).fetch_add(what, Ordering::AcqRel).wrapping_add(what);
        self.stored();
        sum
    }

    pub fn set_bits(&self, at: u64, bits: u64) {
        self.word(at).fetch_or(bits, Ordering::SeqCst);
        in_order();
        self.stored();
    }

    pub fn clear_bits(&self, at: u64, bits: u64) {
        self.word(at).fetch_and(!bits, Ordering::SeqCst);
        in_order();
        self.stored();
    }

    /// The bytes at `at`; valid while the lock is held and nothing there is freed.
    pub fn bytes(&self, at: u64, len: usize) -> &[u8] {
        // SAFETY: in bounds; nobody writes them while the lock is held, and the callers hold it.
        unsafe { std::slice::from_raw_parts(self.bytes_at(at, len).as_ptr(), len) }
    }

    pub fn copy_in(&self, at: u64, bytes: &[u8]) {
        let target = self.bytes_at(at, bytes.len());
        // SAFETY: in bounds; the lock is held, and `bytes` is memory of this process.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), target.as_ptr(), bytes.len()) };
        self.stored();
    }

    #[inline(always)]
    fn stored(&self) {
        compiler_fence(Ordering::SeqCst);
        #[cfg(test)]
        AFTER_STORE.get()();
    }
}

/// Loom takes `SeqCst` for less than it is, but for fences.
#[inline(always)]
fn in_order() {
    #[cfg(loom)]
    loom::sync::atomic::fence(Ordering::SeqCst);
}
