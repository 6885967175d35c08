//! What a worker remembers of a table: which series it has met, so that the next sample takes neither a lock nor a text.

use crate::cells::Cells;
use crate::known::{Known, remember};
use crate::rows::Kind;
use crate::table::{FOLDED, Handle, Place, Table, class_of};

/// A series that was met.
#[derive(Clone, Copy)]
struct Met {
    /// Of its set.
    generation: u32,
    is_folded: bool,
    /// `Header::freed` at the time; what is folded is looked up again when it has moved.
    freed: u64,
    /// Where its cells begin in this worker's plane, among the table's words, and those of native histograms.
    cells_at: usize,
    native_at: usize,
}

/// Of one table.
pub struct Worker {
    plane: usize,
    has_classes: bool,
    /// By set, method and status.
    known: Known<Met>,
}

impl Worker {
    /// `nth`: the worker's number, from 0. With `has_classes` a status is told as `2xx`.
    pub fn new(table: &Table, nth: usize, has_classes: bool) -> Worker {
        let plane = nth % table.rows.layout.planes;
        Worker { plane, has_classes, known: Known::default() }
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
        let met = match self.known(table, handle, kind) {
            Some(met) => met,
            None => self.meet(table, handle, kind, now_ms, locked)?,
        };
        if met.is_folded {
            table.header().count_folded();
        }
        Some(table.cells(met.cells_at, met.native_at))
    }

    #[inline(always)]
    fn known(&self, table: &Table, handle: Handle, kind: Kind) -> Option<Met> {
        let met = *self.known.get(&key(handle, kind))?;
        let is_there = met.generation == handle.generation && table.has(handle);
        let is_right = is_there && (!met.is_folded || met.freed == table.header().freed());
        is_right.then_some(met)
    }

    #[cold]
    fn meet(
        &mut self,
        table: &Table,
        handle: Handle,
        kind: Kind,
        now_ms: u64,
        locked: impl FnOnce(&mut dyn FnMut()),
    ) -> Option<Met> {
        let mut found = None;
        let freed = table.header().freed();
        locked(&mut || found = table.series(handle, kind, now_ms));
        let Place { series, is_folded } = found?;
        table.rows.use_plane(series, self.plane);
        let layout = &table.rows.layout;
        let (cells_at, native_at) =
            (layout.cells(self.plane, series), layout.native(self.plane, series));
        let generation = handle.generation;
        let met = Met { generation, is_folded, freed, cells_at, native_at };
        if handle.set as usize != FOLDED {
            remember(&mut self.known, layout.series, key(handle, kind), met);
        }
        Some(met)
    }
}

#[inline]
fn key(handle: Handle, kind: Kind) -> u64 {
    u64::from(handle.set) << 32 | u64::from(kind.word())
}
