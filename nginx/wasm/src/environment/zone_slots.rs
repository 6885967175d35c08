//! The slots of a zone as this worker uses them: with its row, and an eye on the rows of processes that died.

use std::cell::{Cell, OnceCell};
use std::io::Error;

use wick_kv::{Live, Row, Slots};
use wick_native::zone::SharedZone;

use crate::clock::now_ms;

/// A slot's number says which zone it is of: in so many bits, above those of the index.
const ZONE_BITS: u64 = 8;
const INDEX_BITS: u64 = 24;
const ZONE_MASK: u64 = ((1 << ZONE_BITS) - 1) << INDEX_BITS;
const _: () = assert!(wick_kv::MAX_SLOTS as u64 <= 1 << INDEX_BITS);

pub const MAX_ZONES_WITH_SLOTS: usize = 1 << ZONE_BITS;

/// How often it is looked who died.
const LOOK_MS: u64 = 1000;

pub struct ZoneSlots {
    slots: Slots,
    row: OnceCell<Row>,
    looked_ms: Cell<u64>,
}

impl ZoneSlots {
    /// Takes a row, if one is free; `None`: the zone has no slots.
    pub fn of(zone: SharedZone) -> Option<ZoneSlots> {
        let slots = zone.store().slots()?;
        let this = ZoneSlots { slots, row: OnceCell::new(), looked_ms: Cell::new(0) };
        this.look();
        Some(this)
    }

    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The right to write. `None`: more processes use the zone than there are rows.
    #[inline]
    pub fn row(&self) -> Option<&Row> {
        self.look_now_and_then();
        self.row.get()
    }

    /// The processes whose parts of gauges count. One that was killed may be among them for a second.
    #[inline]
    pub fn live(&self) -> Live {
        self.look_now_and_then();
        self.slots.live()
    }

    #[inline]
    fn look_now_and_then(&self) {
        if now_ms().wrapping_sub(self.looked_ms.get()) >= LOOK_MS {
            self.look();
        }
    }

    #[cold]
    fn look(&self) {
        self.looked_ms.set(now_ms());
        let pid = std::process::id();
        if self.row.get().is_some() {
            self.slots.reap(pid, is_alive);
        } else if let Some(row) = self.slots.register(pid, is_alive) {
            self.row.get_or_init(|| row);
        }
    }
}

/// Another process that got the number of one that died passes for it, until it ends too.
fn is_alive(pid: u32) -> bool {
    // SAFETY: signal 0 is not sent, only whether it could be.
    let could = unsafe { libc::kill(pid as libc::pid_t, 0) } == 0;
    could || Error::last_os_error().raw_os_error() != Some(libc::ESRCH)
}

/// The zone of a slot that filters know by `number`, and its number there.
#[inline]
pub fn split(number: u64) -> (usize, u64) {
    (((number & ZONE_MASK) >> INDEX_BITS) as usize, number & !ZONE_MASK)
}

/// The number by which filters know a slot of a zone.
pub fn join(zone: usize, number: u64) -> u64 {
    number | (zone as u64) << INDEX_BITS
}
