//! Where things lie in the memory. Everything follows from its length, so that a header that disagrees is refused.

use std::fmt;

/// The first eight bytes of a formatted store; written last, so that half a format is none.
pub(crate) const MAGIC: u64 = u64::from_le_bytes(*b"wick\0kv\0");
/// Counts up whenever a byte changes its meaning.
pub(crate) const LAYOUT_VERSION: u64 = 2;

/// Longest key, in bytes.
pub const MAX_KEY_BYTES: usize = 0xffff;
/// Longest value, in bytes.
pub const MAX_VALUE_BYTES: usize = 4 << 20;
/// A value of at most so many bytes may take the last of the room: it says that something is closed, or which state this is.
pub const SMALL_VALUE_BYTES: usize = 16;

/// Alignment that the memory must have: no two of the header's parts share a cache line.
pub(crate) const ALIGNMENT: usize = 64;
/// Lengths of blocks are multiples of this many bytes.
pub(crate) const GRANULE: u64 = 16;
pub(crate) const STRIPES: u64 = 1024;
pub(crate) const BINS: u64 = 320;

/// Header words, as offsets. Written once: magic to seed. Behind a lock: dirty to bins. Read without one: version.
pub(crate) mod header {
    pub const MAGIC: u64 = 0;
    pub const LAYOUT: u64 = 8;
    pub const LEN: u64 = 16;
    pub const SEED: u64 = 24;
    /// On a cache line of its own: every request of every worker reads it.
    pub const VERSION: u64 = 64;
    /// 1 while a change is half done.
    pub const DIRTY: u64 = 128;
    /// The last cas number given out.
    pub const CAS: u64 = 136;
    pub const KEYS: u64 = 144;
    pub const BYTES_FREE: u64 = 152;
    pub const RECOVERIES: u64 = 160;
    pub const RESETS: u64 = 168;
    /// One bit per bin: its list is not empty.
    pub const BIN_MAP: u64 = 192;
    /// Heads of the free lists.
    pub const BINS: u64 = BIN_MAP + super::BINS / 8 + 24;
    pub const STRIPES: u64 = BINS + super::BINS * 8;
    pub const BUCKETS: u64 = STRIPES + super::STRIPES * 8;
}

/// Bytes of memory per bucket: at the some 400 bytes that a backend of ten endpoints takes, chains stay about one long.
const BYTES_PER_BUCKET: u64 = 512;
const MIN_BUCKETS: u64 = 16;
const MIN_HEAP_BYTES: u64 = 1024;
/// The spare place is a 64th of the memory, within these bounds. As much of the heap is kept for small values.
const SPARE_BYTES: std::ops::RangeInclusive<u64> = 256..=64 << 10;
/// The bins cover blocks below this size.
const MAX_LEN: u64 = 1 << 40;

/// The parts whose place depends on the length. `repr(C)`: handles cross the border between two shared objects.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    pub len: u64,
    pub buckets: u64,
    /// First block; a multiple of the granule.
    pub heap: u64,
    /// The end mark behind the last block.
    pub heap_end: u64,
    /// Behind the end mark: where a node is for as long as it takes the place of one that leaves no room beside it.
    pub spare: u64,
}

impl Layout {
    pub fn of(len: usize) -> Result<Layout, LayoutError> {
        let len = len as u64 & !(GRANULE - 1);
        let buckets = (len / BYTES_PER_BUCKET).max(MIN_BUCKETS);
        let heap = (header::BUCKETS + buckets * 8).next_multiple_of(ALIGNMENT as u64);
        let spare = len.saturating_sub(spare_bytes(len));
        let heap_end = spare.saturating_sub(GRANULE);
        if heap_end < heap + MIN_HEAP_BYTES {
            return Err(LayoutError::TooSmall);
        }
        if len > MAX_LEN {
            return Err(LayoutError::TooLarge);
        }
        Ok(Layout { len, buckets, heap, heap_end, spare })
    }

    /// Length of the spare place; a multiple of the granule.
    pub fn spare_bytes(&self) -> u64 {
        spare_bytes(self.len)
    }

    /// Bytes of the heap that only small values may take, and what takes no more than it replaces.
    pub fn reserve(&self) -> u64 {
        spare_bytes(self.len)
    }

    /// The bucket of a hash. Monotone: walking buckets upwards walks hashes upwards, which [`crate::keys`] needs.
    pub fn bucket(&self, hash: u64) -> u64 {
        ((u128::from(hash) * u128::from(self.buckets)) >> 64) as u64
    }

    /// The smallest hash of a bucket.
    pub fn first_hash(&self, bucket: u64) -> u64 {
        (u128::from(bucket) << 64).div_ceil(u128::from(self.buckets)) as u64
    }

    /// Offset of the word that holds the first node of a bucket.
    pub fn bucket_link(&self, bucket: u64) -> u64 {
        header::BUCKETS + bucket * 8
    }
}

fn spare_bytes(len: u64) -> u64 {
    (len / 64).clamp(*SPARE_BYTES.start(), *SPARE_BYTES.end()) & !(GRANULE - 1)
}

/// Why memory cannot be used as a store, or for slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// Fewer bytes than header, buckets and a small heap need (some 15 KiB), or than the slots need.
    TooSmall,
    /// More than 1 TiB; more slots than may be.
    TooLarge,
    /// The memory does not start at a multiple of 64.
    Misaligned,
    /// Nothing was ever formatted here.
    Magic,
    /// Of another layout version; the number is the one found.
    Version(u64),
    /// Formatted for another length; the number is the one found.
    Length(u64),
}

impl fmt::Display for LayoutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooSmall => f.write_str("is too small"),
            Self::TooLarge => f.write_str("is too large"),
            Self::Misaligned => f.write_str("is not aligned"),
            Self::Magic => f.write_str("was never formatted"),
            Self::Version(found) => {
                write!(f, "has layout {found}, which this version does not know")
            }
            Self::Length(found) => write!(f, "was formatted for {found} bytes"),
        }
    }
}

impl std::error::Error for LayoutError {}
