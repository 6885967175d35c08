//! Who gives way when a set of cells is full.
//!
//! The namespace that has most cells of a set yields first, so each of n namespaces keeps its nth part of every set, however many
//! clients another one brings. Of its cells the one goes that has drained soonest. What that one has counted is not forgotten: it goes to
//! the *rest* of its namespace, one cell for all of its clients that have none, and who comes back begins with that. A rest tells
//! eight parts of them apart. So nobody gets more by being forgotten; at worst a client of the same namespace gets less.
//!
//! A namespace with a single cell gives that only to one that has none, and only when no other has more: then it goes to a rest
//! that all such namespaces have in common.

use std::ops::Range;

use crate::cells::{COMMON, Cells, Instant, Owner};
use crate::processes;

/// What a new client gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// A cell of its own; `Instant`: when all has drained that may have been counted for it before.
    Own(usize, Instant),
    /// It counts with others of its namespace.
    Shared(usize),
    /// Requests of other namespaces are under way in each cell.
    None,
}

/// A set, and who asks for a cell in it.
pub struct Set<'m> {
    cells: Cells<'m>,
    range: Range<usize>,
    owner: Owner,
    now_ms: u64,
}

impl<'m> Set<'m> {
    pub fn new(cells: Cells<'m>, range: Range<usize>, owner: Owner, now_ms: u64) -> Set<'m> {
        Set { cells, range, owner, now_ms }
    }

    /// `counts_under_way`: its requests count while they last.
    pub fn room(&self, counts_under_way: bool) -> Room {
        let rest = self.rest_of(self.owner.namespace);
        if counts_under_way && let Some(rest) = rest.filter(|rest| self.cells.is_busy(*rest)) {
            return Room::Shared(rest); // some of these may be its own
        }
        let before = self.before();
        let nobodys = self.range.clone().find(|cell| self.cells.is_nobodys(*cell));
        let free = || self.range.clone().find(|cell| self.cells.is_free(*cell, self.now_ms));
        match nobodys.or_else(free).map_or_else(|| self.yielded(), Room::own) {
            // Who left just now was here, too, and may be of the same moment: this client it is not.
            Room::Own(cell, _) => Room::Own(cell, before),
            other => other,
        }
    }

    /// When all has drained that may have been counted for it.
    fn before(&self) -> Instant {
        let rests = [self.owner.namespace, COMMON].map(|namespace| self.rest_of(namespace));
        let drained = |rest| self.cells.drained_of(rest, self.owner.bucket());
        rests.into_iter().flatten().map(drained).max().unwrap_or(Instant::PAST)
    }

    /// From a set in which each cell counts.
    fn yielded(&self) -> Room {
        let own = self.count(self.owner.namespace);
        let (most, namespace) = self.largest_other();
        if most > own.max(1) {
            return self.given_up_by(namespace).map_or(Room::None, Room::own);
        }
        if own > 0 {
            return self.own();
        }
        self.given_up_to_all().map_or(Room::None, Room::own)
    }

    fn own(&self) -> Room {
        let namespace = self.owner.namespace;
        if let Some(cell) = self.given_up_by(namespace) {
            return Room::own(cell);
        }
        self.of(namespace).next().map_or(Room::None, |only| {
            self.cells.make_rest(only, namespace);
            Room::Shared(only)
        })
    }

    /// `None`: it has a single cell.
    fn given_up_by(&self, namespace: u32) -> Option<usize> {
        let mut clients =
            self.of(namespace).filter(|cell| !self.cells.is_rest(*cell)).collect::<Vec<_>>();
        clients.sort_by_key(|cell| self.cells.drained(*cell));
        let rest = self.rest_of(namespace);
        let (soonest, into) = match (&*clients, rest) {
            ([soonest, ..], Some(rest)) => (*soonest, rest),
            ([soonest, next, ..], None) => (*soonest, *next),
            _ => return None,
        };
        self.cells.make_rest(into, namespace);
        self.merge(soonest, into);
        Some(soonest)
    }

    /// `None`: there are too few without requests under way. Those cannot be told apart once they are common to several.
    fn given_up_to_all(&self) -> Option<usize> {
        let common = self.rest_of(COMMON);
        let is_idle = |cell: &usize| Some(*cell) != common && !self.cells.is_busy(*cell);
        let mut idle = self.range.clone().filter(is_idle).collect::<Vec<_>>();
        idle.sort_by_key(|cell| self.cells.drained(*cell));
        let (soonest, into) = match (&*idle, common) {
            ([soonest, ..], Some(common)) => (*soonest, common),
            ([soonest, next, ..], None) => (*soonest, *next),
            _ => return None,
        };
        self.cells.make_rest(into, COMMON);
        self.merge(soonest, into);
        Some(soonest)
    }

    fn merge(&self, cell: usize, rest: usize) {
        let Cells(words) = self.cells;
        words.count_shortage();
        self.cells.raise_by(rest, cell);
        let generation = |cell| self.cells.generation(cell);
        self.cells.clear(cell);
        processes::move_all(&words, (cell, generation(cell)), (rest, generation(rest)));
    }

    fn largest_other(&self) -> (usize, u32) {
        let others = self.range.clone().map(|cell| self.cells.namespace(cell));
        let others = others.filter(|namespace| ![self.owner.namespace, COMMON].contains(namespace));
        others.map(|namespace| (self.count(namespace), namespace)).max().unwrap_or((0, COMMON))
    }

    fn count(&self, namespace: u32) -> usize {
        self.of(namespace).count()
    }

    fn of(&self, namespace: u32) -> impl Iterator<Item = usize> {
        let is_of = move |cell: &usize| {
            !self.cells.is_nobodys(*cell) && self.cells.namespace(*cell) == namespace
        };
        self.range.clone().filter(is_of)
    }

    fn rest_of(&self, namespace: u32) -> Option<usize> {
        self.cells.rest_in(self.range.clone(), namespace)
    }
}

impl Room {
    fn own(cell: usize) -> Room {
        Room::Own(cell, Instant::PAST)
    }
}
