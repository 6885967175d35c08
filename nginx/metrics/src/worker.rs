//! What a worker remembers of a table: which series it has met, so that the next sample takes neither a lock nor a text.

use crate::cells::Cells;
use crate::rows::Kind;
use crate::table::{FOLDED, Handle, Place, Table, class_of};

/// A series of a set: method and status, and its place.
#[derive(Clone, Copy)]
struct Known {
    kind: u32,
    place: Place,
}

#[derive(Default)]
struct KnownSet {
    generation: u32,
    /// `Header::freed` at the time; folded series are looked up again when it has moved.
    freed: u64,
    /// Those that are asked for most come first.
    series: Vec<Known>,
}

/// Of one table.
pub struct Worker {
    plane: usize,
    has_classes: bool,
    sets: Vec<KnownSet>,
}

impl Worker {
    /// `nth`: the worker's number, from 0. With `has_classes` a status is told as `2xx`.
    pub fn new(table: &Table, nth: usize, has_classes: bool) -> Worker {
        Worker { plane: nth % table.rows.layout.planes, has_classes, sets: Vec::new() }
    }

    /// The numbers of a series. `None`: its set is gone. `now_ms` and `locked` are for series that are met for the first time:
    /// `locked` runs what it is given under the table's lock.
    #[inline]
    pub fn cells<'m, 's>(
        &mut self,
        table: &Table<'m, 's>,
        handle: Handle,
        method: usize,
        status: u16,
        now_ms: u64,
        locked: impl FnOnce(&mut dyn FnMut()),
    ) -> Option<Cells<'m, 's>> {
        let status = if self.has_classes { class_of(status) } else { status.min(999) };
        let kind = Kind { method: method as u8, status };
        let place = match self.known(table, handle, kind.word()) {
            Some(place) => place,
            None => self.meet(table, handle, kind, now_ms, locked)?,
        };
        if place.is_folded {
            table.header().count_folded();
        }
        Some(table.cells(self.plane, place.series))
    }

    #[inline]
    fn known(&mut self, table: &Table, handle: Handle, kind: u32) -> Option<Place> {
        let set = self.sets.get_mut(handle.set as usize)?;
        if set.generation != handle.generation || !table.is_current(handle) {
            return None;
        }
        let nth = set.series.iter().position(|known| known.kind == kind)?;
        let place = set.series[nth].place;
        if place.is_folded && set.freed != table.header().freed() {
            return None;
        }
        if nth > 0 {
            set.series.swap(nth, nth - 1);
        }
        Some(place)
    }

    #[cold]
    fn meet(
        &mut self,
        table: &Table,
        handle: Handle,
        kind: Kind,
        now_ms: u64,
        locked: impl FnOnce(&mut dyn FnMut()),
    ) -> Option<Place> {
        let mut found = None;
        let freed = table.header().freed();
        locked(&mut || found = table.series(handle, kind, now_ms));
        let place = found?;
        table.rows.use_plane(place.series, self.plane);
        let at = handle.set as usize;
        if at == FOLDED {
            return Some(place);
        }
        if self.sets.len() <= at {
            self.sets.resize_with(at + 1, KnownSet::default);
        }
        let set = &mut self.sets[at];
        if set.generation != handle.generation || set.freed != freed {
            *set = KnownSet { generation: handle.generation, freed, series: Vec::new() };
        }
        set.series.push(Known { kind: kind.word(), place });
        Some(place)
    }
}
