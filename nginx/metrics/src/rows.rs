//! Rows of sets of labels and of series.
//!
//! A set, one cache line: 0 generation (high half) and whether it is there · 1 key (two words) · 3 first block (high half) and bytes of
//! its text · 4 owner (two words) · 6 its series · 7 when it was freed, ms. A series: 0 set (high half), whether it is there, method,
//! status · 1 planes that were written to, a bit each · 2 when it was freed, ms.
//!
//! Words are written so that a row is there only when all else of it is. A freed row stays empty for some seconds: a process that was
//! about to add to it has done so by then.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::capacity::{Layout, SERIES_WORDS, SET_WORDS};

/// How long a freed row is left alone.
const QUARANTINE_MS: u64 = 10_000;
const IS_THERE: u64 = 1 << 31;

/// What a series is of, beside its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Index in `METHODS`.
    pub method: u8,
    /// A status, or a class (1 to 5).
    pub status: u16,
}

impl Kind {
    #[inline]
    pub fn word(self) -> u32 {
        u32::from(self.method) << 16 | u32::from(self.status)
    }
}

/// The words of a table.
#[derive(Clone, Copy)]
pub struct Rows<'m> {
    pub words: &'m [AtomicU64],
    pub layout: Layout,
}

/// What a series' first word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    pub set: usize,
    pub kind: Kind,
}

impl<'m> Rows<'m> {
    fn set(&self, set: usize) -> &'m [AtomicU64] {
        let at = self.layout.sets_at + set * SET_WORDS;
        &self.words[at..at + SET_WORDS]
    }

    fn row(&self, series: usize) -> &'m [AtomicU64] {
        let at = self.layout.series_at + series * SERIES_WORDS;
        &self.words[at..at + SERIES_WORDS]
    }

    /// Generation of a set that is there.
    #[inline]
    pub fn generation(&self, set: usize) -> Option<u32> {
        let state = self.words.get(self.layout.sets_at + set * SET_WORDS)?.load(Acquire);
        (state & IS_THERE != 0).then_some((state >> 32) as u32)
    }

    pub fn key(&self, set: usize) -> u128 {
        wide(&self.set(set)[1..])
    }

    pub fn owner(&self, set: usize) -> u128 {
        wide(&self.set(set)[4..])
    }

    /// First block and bytes of its text.
    pub fn text(&self, set: usize) -> (usize, usize) {
        let word = self.set(set)[3].load(Relaxed);
        ((word >> 32) as usize, word as u32 as usize)
    }

    pub fn series_of(&self, set: usize) -> u64 {
        self.set(set)[6].load(Relaxed)
    }

    pub fn set_series_of(&self, set: usize, series: u64) {
        self.set(set)[6].store(series, Relaxed);
    }

    /// Nothing is there, nor was a moment ago.
    pub fn is_set_free(&self, set: usize, now_ms: u64) -> bool {
        self.generation(set).is_none() && is_over(self.set(set)[7].load(Relaxed), now_ms)
    }

    pub fn put_set(&self, set: usize, key: u128, owner: u128, text: (usize, usize)) -> u32 {
        let row = self.set(set);
        let generation = ((row[0].load(Relaxed) >> 32) as u32).wrapping_add(1);
        put_wide(&row[1..], key);
        row[3].store((text.0 as u64) << 32 | text.1 as u64, Relaxed);
        put_wide(&row[4..], owner);
        row[6].store(0, Relaxed);
        row[0].store(u64::from(generation) << 32 | IS_THERE, Release);
        generation
    }

    pub fn free_set(&self, set: usize, now_ms: u64) {
        let row = self.set(set);
        row[7].store(now_ms.max(1), Relaxed);
        row[0].store(row[0].load(Relaxed) & !IS_THERE, Release);
    }

    #[inline]
    pub fn series(&self, series: usize) -> Option<Series> {
        let word = self.row(series)[0].load(Acquire);
        let kind = Kind { method: (word >> 16 & 0xff) as u8, status: word as u16 };
        (word & IS_THERE != 0).then_some(Series { set: (word >> 32) as usize, kind })
    }

    pub fn is_series_free(&self, series: usize, now_ms: u64) -> bool {
        self.series(series).is_none() && is_over(self.row(series)[2].load(Relaxed), now_ms)
    }

    pub fn planes(&self, series: usize) -> u64 {
        self.row(series)[1].load(Acquire)
    }

    /// From now on the plane is read, too.
    pub fn use_plane(&self, series: usize, plane: usize) {
        self.row(series)[1].fetch_or(1 << plane, Release);
    }

    /// A new series, all of whose numbers are 0.
    pub fn put_series(&self, series: usize, Series { set, kind }: Series) {
        for plane in self.used_planes(series) {
            self.cells(plane, series).iter().for_each(|cell| cell.store(0, Relaxed));
        }
        for plane in self.used_native_planes(series) {
            self.native(plane, series).iter().for_each(|cell| cell.store(0, Relaxed));
        }
        let row = self.row(series);
        row[1].store(0, Relaxed);
        row[0].store((set as u64) << 32 | IS_THERE | u64::from(kind.word()), Release);
    }

    pub fn free_series(&self, series: usize, now_ms: u64) {
        let row = self.row(series);
        row[2].store(now_ms.max(1), Relaxed);
        row[0].store(0, Release);
    }

    pub fn cells(&self, plane: usize, series: usize) -> &'m [AtomicU64] {
        self.cells_at(self.layout.cells(plane, series))
    }

    /// Those that begin at a word.
    #[inline]
    pub fn cells_at(&self, at: usize) -> &'m [AtomicU64] {
        &self.words[at..at + self.layout.cell_words]
    }

    /// Those of native histograms, for the worker of a plane or for one of its own planes.
    #[inline]
    pub fn native(&self, plane: usize, series: usize) -> &'m [AtomicU64] {
        self.native_at(self.layout.native(plane, series))
    }

    /// Those that begin at a word.
    #[inline]
    pub fn native_at(&self, at: usize) -> &'m [AtomicU64] {
        self.words.get(at..at + self.layout.native_words).unwrap_or_default()
    }

    pub fn used_native_planes(&self, series: usize) -> impl Iterator<Item = usize> + use<> {
        let (planes, all, native) =
            (self.planes(series), self.layout.planes, self.layout.native_planes);
        (0..native)
            .filter(move |nth| (*nth..all).step_by(native).any(|plane| planes >> plane & 1 != 0))
    }

    pub fn used_planes(&self, series: usize) -> impl Iterator<Item = usize> + use<> {
        let (planes, all) = (self.planes(series), self.layout.planes);
        (0..all).filter(move |plane| planes >> plane & 1 != 0)
    }
}

fn is_over(freed_ms: u64, now_ms: u64) -> bool {
    freed_ms == 0 || now_ms.saturating_sub(freed_ms) >= QUARANTINE_MS
}

fn wide(words: &[AtomicU64]) -> u128 {
    u128::from(words[0].load(Relaxed)) << 64 | u128::from(words[1].load(Relaxed))
}

fn put_wide(words: &[AtomicU64], value: u128) {
    words[0].store((value >> 64) as u64, Relaxed);
    words[1].store(value as u64, Relaxed);
}
