//! The table: finds and makes rows, and removes those of what is gone. One caller at a time, but for what says otherwise.

use std::sync::atomic::AtomicU64;

use crate::capacity::{Capacity, Layout};
use crate::cells::Cells;
use crate::endpoint::{self, owner_of_backend};
use crate::header::Header;
use crate::labels::{LabelSet, hash, owner};
use crate::rows::{Kind, Rows, Series};
use crate::shape::Shape;
use crate::texts;

/// Places that are looked at for a row.
const PROBES: usize = 64;
/// Series of a set by status and method; beyond them the statuses are classes and the methods one, so that a backend
/// that makes up statuses does not take the places of others.
const MAX_OF_SET: u64 = 96;
/// For all that there is no room for: its labels are `_folded`.
pub const FOLDED: usize = 0;

/// A set of labels. Ends with the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handle {
    pub(crate) set: u32,
    pub(crate) generation: u32,
}

impl Handle {
    pub fn to_bits(self) -> u64 {
        u64::from(self.set) << 32 | u64::from(self.generation)
    }

    pub fn from_bits(bits: u64) -> Handle {
        Handle { set: (bits >> 32) as u32, generation: bits as u32 }
    }
}

/// Where a series is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub series: usize,
    /// It is not the sample's own.
    pub is_folded: bool,
}

/// The series of an endpoint.
struct EndpointSet {
    handle: Handle,
    backend: Vec<u8>,
    endpoint: Vec<u8>,
}

/// A table in shared words.
#[derive(Clone, Copy)]
pub struct Table<'m, 's> {
    pub(crate) rows: Rows<'m>,
    pub(crate) shape: &'s Shape,
}

impl<'m, 's> Table<'m, 's> {
    /// Words that are needed.
    pub fn words(capacity: Capacity, shape: &Shape) -> usize {
        Layout::of(capacity, shape).words
    }

    /// Formats words that are all zero. `folded`: labels of what there is no room for. `None`: there are too few.
    pub fn create(
        words: &'m [AtomicU64],
        capacity: Capacity,
        shape: &'s Shape,
        folded: &impl LabelSet,
        seed: u64,
    ) -> Option<Table<'m, 's>> {
        let layout = Layout::of(capacity, shape);
        let rows = Rows { words: words.get(..layout.words)?, layout };
        Header(words).write(&layout, seed);
        let text = folded.text();
        let first = texts::put(&rows, FOLDED, &text)?;
        rows.put_set(FOLDED, 0, 0, (first, text.len()));
        rows.put_series(FOLDED, Series { set: FOLDED, kind: Kind { method: 0, status: 0 } });
        Header(words).seal();
        Some(Table { rows, shape })
    }

    /// A table that was formatted before, perhaps by another process. `None`: there is none, or one of another size.
    pub fn attach(
        words: &'m [AtomicU64],
        capacity: Capacity,
        shape: &'s Shape,
    ) -> Option<Table<'m, 's>> {
        let layout = Layout::of(capacity, shape);
        let rows = Rows { words: words.get(..layout.words)?, layout };
        Header(words).is_of(&layout).then_some(Table { rows, shape })
    }

    pub(crate) fn seed(&self) -> u64 {
        self.header().seed()
    }

    pub(crate) fn header(&self) -> Header<'m> {
        Header(self.rows.words)
    }

    /// The set of these labels. `now_ms`: of a clock that all processes share.
    pub fn set(&self, labels: &impl LabelSet, now_ms: u64) -> Handle {
        self.change(|table| table.find_or_put_set(labels, now_ms))
    }

    fn find_or_put_set(&self, labels: &impl LabelSet, now_ms: u64) -> Handle {
        let seed = self.header().seed();
        let text = labels.text();
        let key = hash(&text, seed);
        let handle = |set: usize, generation| Handle { set: set as u32, generation };
        let mut places = self.probe(key as u64, self.rows.layout.sets);
        let known = places.clone().find_map(|set| {
            self.rows
                .generation(set)
                .filter(|_| self.rows.key(set) == key)
                .map(|generation| handle(set, generation))
        });
        let put = || {
            let set = places.find(|set| self.rows.is_set_free(*set, now_ms))?;
            let first = texts::put(&self.rows, set, &text)?;
            let owner = labels.owner(seed);
            Some(handle(set, self.rows.put_set(set, key, owner, (first, text.len()))))
        };
        known.or_else(put).unwrap_or_else(|| self.folded())
    }

    /// The one set that is always there. Its generation moves when there is room again.
    pub(crate) fn folded(&self) -> Handle {
        Handle { set: FOLDED as u32, generation: self.header().freed() as u32 }
    }

    /// Whether the set is still there, and for what was folded: whether nothing has become free since. Needs no lock.
    #[inline]
    pub fn is_current(&self, handle: Handle) -> bool {
        match handle.set as usize {
            FOLDED => handle == self.folded(),
            _ => self.has(handle),
        }
    }

    /// The same of a set of its own.
    #[inline]
    pub(crate) fn has(&self, handle: Handle) -> bool {
        self.rows.generation(handle.set as usize) == Some(handle.generation)
    }

    /// The series of a set. `None`: the set is gone.
    pub(crate) fn series(&self, handle: Handle, kind: Kind, now_ms: u64) -> Option<Place> {
        let set = handle.set as usize;
        if set == FOLDED {
            return Some(Place { series: FOLDED, is_folded: true });
        }
        if !self.is_current(handle) {
            return None;
        }
        Some(self.change(|table| table.find_or_put_series(set, kind, now_ms)))
    }

    fn find_or_put_series(&self, set: usize, kind: Kind, now_ms: u64) -> Place {
        if let Some(place) = self.find_series(set, kind) {
            return place;
        }
        if self.rows.series_of(set) < MAX_OF_SET
            && let Some(place) = self.put_series(set, kind, now_ms)
        {
            return place;
        }
        let class = Kind { method: 0, status: class_of(kind.status) };
        let place = self.find_series(set, class).or_else(|| self.put_series(set, class, now_ms));
        let series = place.map_or(FOLDED, |place| place.series);
        Place { series, is_folded: true }
    }

    fn find_series(&self, set: usize, kind: Kind) -> Option<Place> {
        let wanted = Series { set, kind };
        let mut places = self.probe(start(set, kind), self.rows.layout.series);
        let series = places.find(|series| self.rows.series(*series) == Some(wanted))?;
        Some(Place { series, is_folded: false })
    }

    fn put_series(&self, set: usize, kind: Kind, now_ms: u64) -> Option<Place> {
        let mut places = self.probe(start(set, kind), self.rows.layout.series);
        let series = places.find(|series| self.rows.is_series_free(*series, now_ms))?;
        self.rows.put_series(series, Series { set, kind });
        self.rows.set_series_of(set, self.rows.series_of(set) + 1);
        self.header().set_used(self.header().used() + 1);
        Some(Place { series, is_folded: false })
    }

    /// Removes the series of an Ingress. Samples of its requests that are still under way are lost.
    pub fn remove(&self, namespace: &[u8], ingress: &[u8], now_ms: u64) {
        let gone = owner(namespace, ingress, self.header().seed());
        self.change(|table| {
            let is_its = |set: &usize| {
                table.rows.generation(*set).is_some() && table.rows.owner(*set) == gone
            };
            let its: Vec<usize> = (1..table.rows.layout.sets).filter(is_its).collect();
            table.free_sets(&its, now_ms);
        });
    }

    /// Removes the series of endpoints that are gone: `are_there` gets a backend, and all endpoints of it that have series, and
    /// says of each whether it is there. It runs without the lock, which is taken only if some are gone. `only`: of this
    /// backend; all others are left alone.
    pub fn remove_endpoints(
        &self,
        only: Option<&[u8]>,
        mut are_there: impl FnMut(&[u8], &[&[u8]]) -> Vec<bool>,
        now_ms: u64,
        locked: impl FnOnce(&mut dyn FnMut()),
    ) {
        let mut sets = self.endpoint_sets(only);
        sets.sort_by(|a, b| a.backend.cmp(&b.backend));
        let mut gone = Vec::new();
        for of_backend in sets.chunk_by(|a, b| a.backend == b.backend) {
            let endpoints: Vec<&[u8]> = of_backend.iter().map(|set| &*set.endpoint).collect();
            let are_there = are_there(&of_backend[0].backend, &endpoints);
            let theirs = of_backend.iter().zip(are_there).filter(|(_, is_there)| !is_there);
            gone.extend(theirs.map(|(set, _)| set.handle));
        }
        if !gone.is_empty() {
            locked(&mut || self.remove_sets(&gone, now_ms));
        }
    }

    /// Those that are there at this moment.
    fn endpoint_sets(&self, only: Option<&[u8]>) -> Vec<EndpointSet> {
        let owner = only.map(|backend| self.owner_of_backend(backend));
        let is_wanted = |set: &usize| owner.is_none_or(|owner| self.rows.owner(*set) == owner);
        let sets = (1..self.rows.layout.sets).filter(is_wanted);
        sets.filter_map(|set| self.endpoint_set(set)).collect()
    }

    fn endpoint_set(&self, set: usize) -> Option<EndpointSet> {
        let generation = self.rows.generation(set)?;
        let mut text = Vec::new();
        texts::read(&self.rows, self.rows.text(set), &mut text);
        let (backend, endpoint) = endpoint::read(&text)?;
        let endpoint = endpoint.to_vec();
        let handle = Handle { set: set as u32, generation };
        (self.rows.generation(set) == Some(generation)).then_some(EndpointSet {
            handle,
            backend,
            endpoint,
        })
    }

    fn remove_sets(&self, sets: &[Handle], now_ms: u64) {
        self.change(|table| {
            let is_it = |handle: &&Handle| {
                table.rows.generation(handle.set as usize) == Some(handle.generation)
            };
            let its: Vec<usize> =
                sets.iter().filter(is_it).map(|handle| handle.set as usize).collect();
            table.free_sets(&its, now_ms);
        });
    }

    fn free_sets(&self, sets: &[usize], now_ms: u64) {
        if sets.is_empty() {
            return;
        }
        for set in sets {
            self.rows.free_set(*set, now_ms);
            texts::free(&self.rows, *set, self.rows.text(*set));
        }
        self.free_orphans(now_ms);
        self.header().note_freed();
    }

    /// What the sets of a backend's endpoints have in common.
    pub(crate) fn owner_of_backend(&self, backend: &[u8]) -> u128 {
        owner_of_backend(backend, self.header().seed())
    }

    /// Frees the series whose set is not there, and counts the others.
    fn free_orphans(&self, now_ms: u64) {
        let mut used = 0;
        for series in 1..self.rows.layout.series {
            match self.rows.series(series) {
                Some(of) if self.rows.generation(of.set).is_none() => {
                    self.rows.free_series(series, now_ms);
                }
                Some(_) => used += 1,
                None => {}
            }
        }
        self.header().set_used(used);
    }

    /// The numbers of a series in one plane: those at `Layout::cells` and `Layout::native`. Needs no lock.
    #[inline]
    pub(crate) fn cells(&self, at: usize, native_at: usize) -> Cells<'m, 's> {
        let (words, native) = (self.rows.cells_at(at), self.rows.native_at(native_at));
        Cells { words, native, shape: self.shape }
    }

    /// Changes rows, of a sound table: what somebody left who was killed is repaired first.
    fn change<R>(&self, change: impl FnOnce(&Self) -> R) -> R {
        if self.header().is_busy() {
            texts::repair(&self.rows);
            self.free_orphans(1);
        }
        self.header().set_busy(true);
        let answer = change(self);
        self.header().set_busy(false);
        answer
    }

    /// All places but the first, which is for what is folded.
    fn probe(&self, hash: u64, rows: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let others = rows - 1;
        let first = ((u128::from(hash) * others as u128) >> 64) as usize;
        (0..PROBES.min(others)).map(move |nth| 1 + (first + nth) % others)
    }
}

pub fn class_of(status: u16) -> u16 {
    (status / 100).min(9)
}

fn start(set: usize, kind: Kind) -> u64 {
    let mixed = ((set as u64) << 32 | u64::from(kind.word())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}
