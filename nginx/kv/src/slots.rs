//! Slots: small sets of numbers that belong to a key of a store and that all processes change without a lock.
//!
//! They lie in memory of their own, apart from the store. Who has which slot changes under the store's lock (`open`, on
//! top of `chains`);
//! the numbers in a slot change by atomics, on behalf of a process that has a row (`rows`). Pages are touched only when a slot
//! on them is used, so that many slots may be provided for.
//!
//! A slot is one cache line: 0 generation, odd while it is in use · 8 owner, the hash of its key · 16 id · 24 link to the next
//! of its chain, or of the free ones · 32 four cells. A link is an index plus one, 0 at the end. Beside that a slot has a
//! word for each row, eight of them a line: what that process added to the slot's gauge (low half), and the generation
//! for which that counts (high half), so that nothing has to be cleared when a slot changes hands.

mod chains;
#[cfg(all(test, loom))]
mod model;
pub mod open;
mod rebuild;
pub mod rows;

use std::ptr::NonNull;

use crate::layout::{ALIGNMENT, LayoutError};
use crate::memory::Memory;

/// Cells of one slot.
pub const CELLS: u32 = 4;
/// The most slots that one piece of memory may have.
pub const MAX_SLOTS: u32 = 1 << 20;

/// The most processes that can write at a time.
pub const MAX_PROCESSES: u32 = 1024;
const MAX_ROWS: u64 = MAX_PROCESSES as u64;
/// Rows come in such numbers: a bit each in one word.
const ROWS_AT_ONCE: u32 = if cfg!(loom) { 8 } else { 64 };

const MAGIC: u64 = u64::from_le_bytes(*b"wickslot");
const LAYOUT_VERSION: u64 = 2;
const LINE: u64 = ALIGNMENT as u64;
const WORD: u64 = 8;
const ROWS_OF_LINE: u64 = LINE / WORD;

/// Header words, as offsets. Written once: magic to length. Behind the store's lock: dirty to fresh.
mod header {
    pub const MAGIC: u64 = 0;
    pub const LAYOUT: u64 = 8;
    pub const LEN: u64 = 16;
    /// 1 while a change is half done.
    pub const DIRTY: u64 = 64;
    /// The first slot that was used before and is free.
    pub const FREE: u64 = 72;
    /// How many of them there are.
    pub const FREE_COUNT: u64 = 80;
    /// The first slot that was never used; all behind it were not either.
    pub const FRESH: u64 = 88;
    /// One bit per row: its process may write, and what it added to gauges counts.
    pub const LIVE: u64 = 128;
    pub const ROWS: u64 = LIVE + super::MAX_ROWS / 8;
}

/// What the memory has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// At most [`MAX_SLOTS`].
    pub slots: u32,
    /// That can write at a time, at most [`MAX_PROCESSES`]; rounded up to a multiple of 64.
    pub processes: u32,
}

/// How much of it is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotStatistics {
    pub slots: u64,
    pub slots_used: u64,
    pub processes: u64,
    /// Those that are alive, as far as somebody has looked.
    pub processes_alive: u64,
}

/// Words of a slot.
mod slot {
    pub const GENERATION: u64 = 0;
    pub const OWNER: u64 = 8;
    pub const ID: u64 = 16;
    pub const LINK: u64 = 24;
    pub const CELLS: u64 = 32;
}

/// The slots of one store, by their address: a plain value that may be copied and handed around.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Slots {
    memory: Memory,
    count: u64,
    rows: u64,
    /// Where the slots begin, and the words of their gauges.
    slots: u64,
    gauges: u64,
}

impl Slots {
    /// Bytes of memory that are needed.
    pub fn bytes(capacity: Capacity) -> usize {
        let (count, rows) = (u64::from(capacity.slots), rows(capacity));
        (gauges_at(count, rows) + count * rows * WORD) as usize
    }

    /// Formats `len` bytes at `base` as free slots; only the first few are touched.
    ///
    /// # Safety
    /// As for [`Slots::attach`]; and the memory is all zero, and no other process or thread uses it yet.
    ///
    /// # Errors
    /// [`LayoutError::TooSmall`], [`LayoutError::TooLarge`] (more than [`MAX_SLOTS`] or [`MAX_PROCESSES`]),
    /// [`LayoutError::Misaligned`].
    pub unsafe fn create(
        base: NonNull<u8>,
        len: usize,
        capacity: Capacity,
    ) -> Result<Slots, LayoutError> {
        // SAFETY: the caller's promise.
        let slots = unsafe { Slots::over(base, len, capacity)? };
        slots.memory.store(header::LAYOUT, LAYOUT_VERSION);
        slots.memory.store(header::LEN, Slots::bytes(capacity) as u64);
        slots.memory.store(header::MAGIC, MAGIC);
        Ok(slots)
    }

    /// Takes up slots that were formatted before, perhaps by another process.
    ///
    /// # Safety
    /// `base..base + len` stays mapped and writable for as long as a copy of the handle or one of its rows is used, and
    /// nothing but slots of this version writes there. All stores that have these slots are the same store.
    ///
    /// # Errors
    /// Those of [`Slots::create`]; [`LayoutError::Magic`], [`LayoutError::Version`], [`LayoutError::Length`] when the
    /// memory holds something else, or another number of slots. Nothing was changed then.
    pub unsafe fn attach(
        base: NonNull<u8>,
        len: usize,
        capacity: Capacity,
    ) -> Result<Slots, LayoutError> {
        // SAFETY: the caller's promise.
        let slots = unsafe { Slots::over(base, len, capacity)? };
        let found = |at| slots.memory.load(at);
        if found(header::MAGIC) != MAGIC {
            return Err(LayoutError::Magic);
        }
        if found(header::LAYOUT) != LAYOUT_VERSION {
            return Err(LayoutError::Version(found(header::LAYOUT)));
        }
        if found(header::LEN) != Slots::bytes(capacity) as u64 {
            return Err(LayoutError::Length(found(header::LEN)));
        }
        Ok(slots)
    }

    /// # Safety
    /// `base..base + len` is mapped and writable.
    unsafe fn over(
        base: NonNull<u8>,
        len: usize,
        capacity: Capacity,
    ) -> Result<Slots, LayoutError> {
        if base.align_offset(ALIGNMENT) != 0 {
            return Err(LayoutError::Misaligned);
        }
        if capacity.slots > MAX_SLOTS || capacity.processes > MAX_PROCESSES {
            return Err(LayoutError::TooLarge);
        }
        if capacity.slots == 0 || capacity.processes == 0 || len < Slots::bytes(capacity) {
            return Err(LayoutError::TooSmall);
        }
        // SAFETY: mapped by the caller's promise, aligned as checked.
        let memory = unsafe { Memory::new(base, Slots::bytes(capacity) as u64) };
        let (count, rows) = (u64::from(capacity.slots), rows(capacity));
        Ok(Slots {
            memory,
            count,
            rows,
            slots: slots_at(count, rows),
            gauges: gauges_at(count, rows),
        })
    }

    /// How much is in use. No lock: the numbers may be of moments that lie apart.
    pub fn statistics(&self) -> SlotStatistics {
        let fresh = self.memory.load(header::FRESH).min(self.count);
        SlotStatistics {
            slots: self.count,
            slots_used: fresh.saturating_sub(self.memory.load(header::FREE_COUNT)),
            processes: self.rows,
            processes_alive: self.live().count(),
        }
    }

    /// What a cell (0 to 3) of a slot holds; 0 if the slot was released.
    ///
    /// # Panics
    /// If there is no such cell.
    #[inline]
    pub fn get(&self, number: u64, cell: u32) -> u64 {
        let Some(at) = self.find(number) else { return 0 };
        let value = self.memory.acquire(cell_at(at, cell));
        // If the value is a successor's, so is the generation by now.
        if self.memory.load(at + slot::GENERATION) == generation(number) { value } else { 0 }
    }

    /// The place of the slot with this number, if it is in use under it.
    fn find(&self, number: u64) -> Option<u64> {
        if index(number) >= self.count || generation(number).is_multiple_of(2) {
            return None;
        }
        let at = self.slot_at(index(number));
        (self.memory.load_in_order(at + slot::GENERATION) == generation(number)).then_some(at)
    }

    fn slot_at(&self, index: u64) -> u64 {
        self.slots + index * LINE
    }

    /// The words of eight rows for a slot's gauge. Those of all slots lie together, so that few processes use few pages.
    fn gauge_line(&self, index: u64, block: u64) -> u64 {
        self.gauges + (block * self.count + index) * LINE
    }

    fn gauge_at(&self, index: u64, row: u64) -> u64 {
        self.gauge_line(index, row / ROWS_OF_LINE) + row % ROWS_OF_LINE * WORD
    }
}

/// A number is the slot's generation (high half) and index. Generations in use are odd: 0 is no slot's number.
fn index(number: u64) -> u64 {
    number & u64::from(u32::MAX)
}

fn generation(number: u64) -> u64 {
    number >> 32
}

fn cell_at(slot: u64, cell: u32) -> u64 {
    assert!(cell < CELLS, "no such cell");
    slot + slot::CELLS + u64::from(cell) * WORD
}

/// Keys have several slots as a rule, so there are fewer chains than slots.
fn buckets(count: u64) -> u64 {
    count.div_ceil(4)
}

fn rows(capacity: Capacity) -> u64 {
    capacity.processes.next_multiple_of(ROWS_AT_ONCE).into()
}

/// First slots of the chains of keys.
fn buckets_at(rows: u64) -> u64 {
    header::ROWS + rows * LINE
}

fn slots_at(count: u64, rows: u64) -> u64 {
    (buckets_at(rows) + buckets(count) * WORD).next_multiple_of(LINE)
}

fn gauges_at(count: u64, rows: u64) -> u64 {
    slots_at(count, rows) + count * LINE
}
