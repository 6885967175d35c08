//! How much a table holds, and where its parts lie among the words.

use crate::shape::Shape;

/// Bytes of a block of label texts, and its words.
pub const BLOCK_BYTES: usize = 128;
pub const BLOCK_WORDS: usize = BLOCK_BYTES / 8;
/// Copies of the words for native histograms: fewer than of the others, because there are so many that workers rarely meet.
const NATIVE_PLANES: usize = 2;
/// Blocks for each set of labels, on average.
const BLOCKS_PER_SET: usize = 3;

pub const HEADER_WORDS: usize = 16;
pub const SET_WORDS: usize = 8;
pub const SERIES_WORDS: usize = 4;

/// What a table has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Series: combinations of a set of labels, a method and a status. 64 to 2^22.
    pub series: usize,
    /// Copies of all cells, 1 to 64: workers with different copies never write to the same cache line. The memory of a copy is
    /// taken as far as it is used.
    pub planes: usize,
}

/// The parts, in words: header, sets of labels, series, owners of blocks, blocks, cells, cells of native histograms.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    pub sets: usize,
    pub series: usize,
    pub blocks: usize,
    pub planes: usize,
    pub cell_words: usize,
    pub native_planes: usize,
    pub native_words: usize,
    pub sets_at: usize,
    pub series_at: usize,
    pub owners_at: usize,
    pub blocks_at: usize,
    pub cells_at: usize,
    pub native_at: usize,
    pub words: usize,
}

impl Layout {
    pub fn of(capacity: Capacity, shape: &Shape) -> Layout {
        let series = capacity.series.clamp(64, 1 << 22);
        let planes = capacity.planes.clamp(1, 64);
        let sets = series;
        let blocks = sets * BLOCKS_PER_SET;
        let sets_at = HEADER_WORDS;
        let series_at = sets_at + sets * SET_WORDS;
        let owners_at = series_at + series * SERIES_WORDS;
        let blocks_at = (owners_at + blocks).next_multiple_of(8);
        let cells_at = blocks_at + blocks * BLOCK_WORDS;
        let native_planes = planes.min(NATIVE_PLANES);
        let native_at = cells_at + planes * series * shape.words;
        let words = native_at + native_planes * series * shape.native_words;
        Layout {
            sets,
            series,
            blocks,
            planes,
            cell_words: shape.words,
            native_planes,
            native_words: shape.native_words,
            sets_at,
            series_at,
            owners_at,
            blocks_at,
            cells_at,
            native_at,
            words,
        }
    }

    pub fn cells(&self, plane: usize, series: usize) -> usize {
        self.cells_at + (plane * self.series + series) * self.cell_words
    }

    /// `plane`: one of the native ones, or of a worker.
    pub fn native(&self, plane: usize, series: usize) -> usize {
        self.native_at + (plane % self.native_planes * self.series + series) * self.native_words
    }
}
